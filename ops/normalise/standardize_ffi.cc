#include "normalise/standardize_ffi.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/pixel_call.h"
#include "normalise/standardize.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::int64_t kParameters = 4, kWeight = 4;

Folded FoldedOf(const Sample& sample, std::size_t first, std::size_t end) {
  Folded folded;
  for (std::size_t a = 0; a < sample.extent.size(); ++a) {
    (a < first ? folded.lead : a < end ? folded.reduced : folded.kept) *= sample.extent[a];
  }
  return folded;
}

bool IsPacked(const Sample& sample) {
  std::int64_t step = 1;
  for (std::size_t a = sample.extent.size(); a-- > 0;) {
    if (sample.extent[a] > 1 && sample.strides[a] != step) return false;
    step *= sample.extent[a];
  }
  return true;
}

// A sample's elements side by side, in `room`.
Sample Gathered(const Sample& sample, std::size_t item, std::vector<std::byte>& room) {
  room.resize(static_cast<std::size_t>(sample.volume()) * item);
  Sample packed{.data = room.data(), .extent = sample.extent, .strides = {}};
  std::int64_t step = 1;
  for (std::size_t a = sample.extent.size(); a-- > 0;) {
    packed.strides[a] = step;
    step *= sample.extent[a];
  }
  return packed;
}

void Copy(const Sample& from, const Sample& to, std::size_t item) {
  ForEachRun(from, to, from.extent.size(), 1, 1,
             [&](std::int64_t at, std::int64_t out, std::int64_t n) {
               std::memcpy(to.data + static_cast<std::size_t>(out) * item,
                           from.data + static_cast<std::size_t>(at) * item,
                           static_cast<std::size_t>(n) * item);
             });
}

// The values of a mean or deviation side by side; in `room` if they were not.
std::span<const float> ValuesOf(const Sample& given, std::vector<std::byte>& room) {
  Sample values = given;
  if (!IsPacked(given)) {
    values = Gathered(given, sizeof(float), room);
    Copy(given, values, sizeof(float));
  }
  return {values.as<const float>(), static_cast<std::size_t>(values.volume())};
}

// One value, or one for each that the reduction leaves.
bool Fits(const Sample& given, std::int64_t kept) {
  return given.volume() == 1 || given.volume() == kept;
}

ffi::Error NormalizeBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::AnyBuffer mean,
                          ffi::Buffer<ffi::S32> mean_extent, ffi::AnyBuffer stddev,
                          ffi::Buffer<ffi::S32> stddev_extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::F32> table, ffi::Result<ffi::AnyBuffer> result,
                          bool addressed, std::int32_t source_dtype, std::int32_t first,
                          std::int32_t count, bool has_mean, bool has_stddev) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), kParameters);
  const auto means = Samples::Source(addressed, mean, mean_extent);
  const auto deviations = Samples::Source(addressed, stddev, stddev_extent);
  if (!call || !means || !deviations || call->row != kParameters || first < 0 || count < 0 ||
      first + count > static_cast<std::int32_t>(call->source.rank()) ||
      means->size() != call->source.size() || deviations->size() != call->source.size() ||
      (!addressed && (mean.element_type() != ffi::F32 || stddev.element_type() != ffi::F32))) {
    return ffi::Error::InvalidArgument("normalize: operands do not fit each other");
  }
  const auto begin = static_cast<std::size_t>(first);
  const std::size_t end = begin + static_cast<std::size_t>(count);
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Folded folded = FoldedOf(call->source[i], begin, end);
    if (call->source[i].volume() == 0) continue;
    if ((has_mean && !Fits((*means)[i], folded.lead * folded.kept)) ||
        (has_stddev && !Fits((*deviations)[i], folded.lead * folded.kept))) {
      return ffi::Error::InvalidArgument("normalize: want one mean, or one for each result");
    }
  }
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  call->RunIndexed(table.typed_data(), kParameters, kWeight,
                   [&](std::int64_t i, const Sample& from, const Sample& to, const float* row) {
                     std::vector<std::byte> in_room, out_room, mean_room, deviation_room;
                     Standardization parameters;
                     if (has_mean) parameters.mean = ValuesOf((*means)[i], mean_room);
                     if (has_stddev)
                       parameters.deviation = ValuesOf((*deviations)[i], deviation_room);
                     parameters.ddof = row[0];
                     parameters.epsilon = row[1];
                     parameters.scale = row[2];
                     parameters.shift = row[3];
                     Sample in = from, out = to;
                     if (!IsPacked(from)) {
                       in = Gathered(from, in_bytes, in_room);
                       Copy(from, in, in_bytes);
                     }
                     if (!IsPacked(to)) out = Gathered(to, out_bytes, out_room);
                     Standardize(in.data, call->source_type, FoldedOf(from, begin, end), parameters,
                                 call->target_type, out.data);
                     if (out.data != to.data) Copy(out, to, out_bytes);
                   });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(NormalizeHandler, dynjax::NormalizeBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::AnyBuffer>()              // mean
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // its extent
                                  .Arg<xla::ffi::AnyBuffer>()              // deviation
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // its extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first")
                                  .Attr<std::int32_t>("count")
                                  .Attr<bool>("has_mean")
                                  .Attr<bool>("has_stddev"));
