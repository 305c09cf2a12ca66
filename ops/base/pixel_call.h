// The frame of handlers of one input whose result has the same axes: operands and their checks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/pixel_ffi.h"
#include "base/runs.h"
#include "base/samples.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {

struct PixelCall {
  Samples source, target;
  Pixel source_type, target_type;
  std::size_t row = 0;  // values of the table for one sample

  // nullopt unless the extents fit their buffers, agree along all axes but the last `free` ones,
  // the types are known, and the table has one row of `unit` values, or more, for each sample.
  static std::optional<PixelCall> Of(bool addressed, std::int32_t source_dtype,
                                     const xla::ffi::AnyBuffer& source,
                                     const xla::ffi::Buffer<xla::ffi::S32>& extent,
                                     const xla::ffi::Buffer<xla::ffi::S32>& out_extent,
                                     const xla::ffi::AnyBuffer& result, std::size_t values,
                                     std::size_t unit, std::size_t free = 0) {
    auto from = Samples::Source(addressed, source, extent);
    auto to = Samples::Of(result, out_extent);
    if (!from || !to || from->size() != to->size()) return std::nullopt;
    const auto source_type =
        PixelOf(addressed ? static_cast<xla::ffi::DataType>(source_dtype) : source.element_type());
    const auto target_type = PixelOf(result.element_type());
    if (!source_type || !target_type) return std::nullopt;
    const auto count = static_cast<std::size_t>(from->size());
    const std::size_t row = count > 0 ? values / count : unit;
    if (count > 0 && (values % count != 0 || row < unit || (unit > 0 && row % unit != 0))) {
      return std::nullopt;
    }
    const std::size_t rank = std::min(from->rank(), to->rank());
    if (rank < free) return std::nullopt;
    for (std::int64_t i = 0; i < from->size(); ++i) {
      const auto &a = (*from)[i].extent, &b = (*to)[i].extent;
      if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(rank - free), b.begin())) {
        return std::nullopt;
      }
    }
    return PixelCall{*std::move(from), *std::move(to), *source_type, *target_type, row};
  }

  // Calls body(i, source, target, row) for each sample, or for each frame of those samples whose
  // rows hold parameters of several frames: `unit` values each, the last for all frames after it.
  template <typename T, typename Body>
  void RunIndexed(const T* table, std::size_t unit, std::int64_t weight, const Body& body) const {
    ForEachSample(target, weight, [&](std::int64_t i) {
      const T* values = table + static_cast<std::size_t>(i) * row;
      const std::size_t frames = unit > 0 ? row / unit : 1;
      if (frames <= 1) {
        body(i, source[i], target[i], values);
      } else {
        for (std::int32_t f = 0; f < source[i].extent[0]; ++f) {
          const std::size_t own = std::min(static_cast<std::size_t>(f), frames - 1);
          body(i, FrameOf(source[i], f, Bytes(source_type)),
               FrameOf(target[i], f, Bytes(target_type)), values + own * unit);
        }
      }
      target.ZeroPadding(i);
    });
  }

  // The same without the number of the sample.
  template <typename T, typename Body>
  void Run(const T* table, std::size_t unit, std::int64_t weight, const Body& body) const {
    RunIndexed(table, unit, weight,
               [&](std::int64_t, const Sample& from, const Sample& to, const T* values) {
                 body(from, to, values);
               });
  }
};

}  // namespace dynjax
