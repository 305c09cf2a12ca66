#include "resize/resample_ffi.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "resize/resample.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// Windows far outside any image would only cost time, and overflow the positions of taps.
constexpr float kMaxPosition = 0x1p30f;

bool AxesAscend(ffi::Span<const std::int64_t> axes, std::size_t rank) {
  if (axes.size() < 1 || axes.size() > kMaxResampleAxes) return false;
  std::int64_t previous = -1;
  for (const auto axis : axes) {
    if (axis <= previous || axis >= static_cast<std::int64_t>(rank)) return false;
    previous = axis;
  }
  return true;
}

// The operands of one call, checked sample by sample before any work starts.
struct Call {
  const Samples& source;
  const Samples& target;
  Pixel source_type, target_type;
  std::vector<int> axes;
  const float* roi;
  const std::int32_t* filter;
  bool antialias;
  Border border;

  bool IsSound(std::int64_t i) const {
    const Sample& from = source[i];
    const Sample& to = target[i];
    if (to.volume() == 0) return true;
    if (from.volume() == 0) return false;
    for (std::size_t a = 0, s = 0; a < from.extent.size(); ++a) {
      if (s < axes.size() && axes[s] == static_cast<int>(a)) {
        const auto at = i * static_cast<std::int64_t>(axes.size()) + static_cast<std::int64_t>(s);
        // Written so that NaN fails.
        if (!(std::abs(roi[2 * at]) <= kMaxPosition) ||
            !(std::abs(roi[2 * at + 1]) <= kMaxPosition) || filter[at] < 0 ||
            filter[at] >= kFilters) {
          return false;
        }
        ++s;
      } else if (from.extent[a] != to.extent[a]) {
        return false;
      }
    }
    return true;
  }

  Status Run(std::int64_t i) const {
    Status status;
    const Sample& from = source[i];
    const Sample& to = target[i];
    if (to.volume() > 0) {
      std::array<ResampleAxis, kMaxResampleAxes> window;
      for (std::size_t s = 0; s < axes.size(); ++s) {
        const auto at = i * static_cast<std::int64_t>(axes.size()) + static_cast<std::int64_t>(s);
        const auto axis = static_cast<std::size_t>(axes[s]);
        window[s] = {.in = from.extent[axis],
                     .out = to.extent[axis],
                     .lo = roi[2 * at],
                     .hi = roi[2 * at + 1],
                     .filter = static_cast<Filter>(filter[at]),
                     .antialias = antialias,
                     .border = border};
      }
      status = Resample({from.data, source_type, from.extent, from.strides},
                        {to.data, target_type, to.extent, to.strides}, axes,
                        {window.data(), axes.size()});
    }
    target.ZeroPadding(i);
    return status;
  }
};

ffi::Error ResampleBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                         ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                         ffi::Buffer<ffi::F32> roi, ffi::Buffer<ffi::S32> filter,
                         ffi::Result<ffi::AnyBuffer> result, bool addressed,
                         std::int32_t source_dtype, ffi::Span<const std::int64_t> axes,
                         bool antialias, std::int32_t border) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  if (!from || !to || from->size() != to->size() || from->rank() != to->rank()) {
    return ffi::Error::InvalidArgument("resample: the extents do not fit their buffers");
  }
  const auto source_type =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  const auto target_type = PixelOf(result->element_type());
  if (!source_type || !target_type ||
      (*target_type != *source_type && *target_type != Pixel::kF32)) {
    return ffi::Error::InvalidArgument("resample: want the same element type or a float32 result");
  }
  const auto cells = static_cast<std::size_t>(from->size()) * axes.size();
  if (!AxesAscend(axes, from->rank()) || roi.element_count() != 2 * cells ||
      filter.element_count() != cells || border < 0 || border > 1) {
    return ffi::Error::InvalidArgument(
        "resample: want 1 to 3 ascending axes, roi f32[n, 2 * axes], filter s32[n, axes]");
  }
  const Call call{*from,
                  *to,
                  *source_type,
                  *target_type,
                  std::vector<int>(axes.begin(), axes.end()),
                  roi.typed_data(),
                  filter.typed_data(),
                  antialias,
                  static_cast<Border>(border)};
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!call.IsSound(i)) {
      return ffi::Error::InvalidArgument(
          "resample: want finite windows, known filters, equal carried axes and no empty source");
    }
  }
  std::atomic<bool> exhausted = false;
  ForEachSample(*from, 4, [&](std::int64_t i) {
    if (!call.Run(i).ok()) exhausted.store(true, std::memory_order_relaxed);
  });
  if (exhausted.load()) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted,
                      "resample: no memory for the weights of a sample: its size is too large");
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ResampleHandler, dynjax::ResampleBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // roi
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // filter
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<bool>("antialias")
                                  .Attr<std::int32_t>("border"));
