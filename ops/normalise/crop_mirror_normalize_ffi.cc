#include "normalise/crop_mirror_normalize_ffi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "normalise/crop_mirror_normalize.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

bool IsPermutation(ffi::Span<const std::int64_t> perm, std::size_t rank) {
  if (perm.size() != rank) return false;
  std::array<bool, kMaxRank> seen{};
  for (const auto axis : perm) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return false;
    if (std::exchange(seen[static_cast<std::size_t>(axis)], true)) return false;
  }
  return true;
}

// The operands of one call, checked sample by sample before any work starts.
// More would be a count that wrapped around.
constexpr std::size_t kMaxChannels = std::size_t{1} << 31;

struct Call {
  const Samples& source;
  const Samples& target;
  Pixel source_type, target_type;
  std::vector<int> axes;  // those that the window crops
  std::vector<int> perm;
  NormalizeLayout layout;
  const std::int32_t* window;
  const float* scale;
  std::size_t channels;
  const float* fill;
  std::size_t filled;  // channels of the result

  bool IsSound(std::int64_t i) const {
    const Sample& from = source[i];
    const Sample& to = target[i];
    for (std::size_t a = 0; a < perm.size(); ++a) {
      const int axis = perm[a];
      const std::int32_t in = from.extent[static_cast<std::size_t>(axis)];
      if (axis == layout.channel_axis) {
        // Of a target larger than its source, the rest is padding; a smaller one loses channels.
        if (in != static_cast<std::int32_t>(channels) || to.extent[a] < in ||
            to.extent[a] != static_cast<std::int32_t>(filled)) {
          return false;
        }
      } else if (std::find(axes.begin(), axes.end(), axis) == axes.end() && to.extent[a] != in) {
        return false;
      }
    }
    return true;
  }

  void Run(std::int64_t i) const {
    const Sample& from = source[i];
    const Sample& to = target[i];
    std::array<std::int32_t, kMaxRank> anchor{};
    const std::int32_t* row = window + i * static_cast<std::int64_t>(axes.size() + 1);
    for (std::size_t s = 0; s < axes.size(); ++s)
      anchor[static_cast<std::size_t>(axes[s])] = row[s];
    const float* factors = scale + i * static_cast<std::int64_t>(2 * channels + 1);
    NormalizeLayout own = layout;
    own.shift = factors[2 * channels];
    own.fill = {fill + static_cast<std::size_t>(i) * filled, filled};
    CropMirrorNormalize({from.data, source_type, from.extent, from.strides},
                        {to.data, target_type, to.extent, to.strides}, own,
                        {.anchor = anchor,
                         .mirror = row[axes.size()] != 0,
                         .mean = {factors, channels},
                         .mul = {factors + channels, channels}});
    target.ZeroPadding(i);
  }
};

ffi::Error CropMirrorNormalizeBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                                    ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                                    ffi::Buffer<ffi::S32> window, ffi::Buffer<ffi::F32> scale,
                                    ffi::Buffer<ffi::F32> fill, ffi::Result<ffi::AnyBuffer> result,
                                    bool addressed, std::int32_t source_dtype,
                                    ffi::Span<const std::int64_t> axes, std::int32_t channel_axis,
                                    std::int32_t mirror_axis, ffi::Span<const std::int64_t> perm) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  if (!from || !to || from->size() != to->size() || from->rank() != to->rank()) {
    return ffi::Error::InvalidArgument(
        "crop_mirror_normalize: the extents do not fit their buffers");
  }
  const auto source_type =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  const auto target_type = PixelOf(result->element_type());
  if (!source_type || !target_type) {
    return ffi::Error::InvalidArgument(
        "crop_mirror_normalize: want integers of at most 32 bits, float16 or float32");
  }
  const auto count = static_cast<std::size_t>(from->size());
  const std::size_t channels = count > 0 ? (scale.element_count() / count - 1) / 2 : 1;
  const auto rank = static_cast<std::int64_t>(from->rank());
  const auto known = [&](std::int64_t axis) { return axis >= 0 && axis < rank; };
  if (!IsPermutation(perm, from->rank()) || !std::all_of(axes.begin(), axes.end(), known) ||
      !(channel_axis == -1 || known(channel_axis)) || !(mirror_axis == -1 || known(mirror_axis)) ||
      window.element_count() != count * (axes.size() + 1) || channels < 1 ||
      channels > kMaxChannels || scale.element_count() != count * (2 * channels + 1) ||
      fill.element_count() % std::max<std::size_t>(count, 1) != 0 ||
      (count > 0 && fill.element_count() == 0) || (channel_axis == -1 && channels != 1)) {
    return ffi::Error::InvalidArgument(
        "crop_mirror_normalize: want perm of the axes, window s32[n, axes + 1], "
        "scale f32[n, 2 * channels + 1], fill f32[n, output channels]");
  }
  Call call{.source = *from,
            .target = *to,
            .source_type = *source_type,
            .target_type = *target_type,
            .axes = std::vector<int>(axes.begin(), axes.end()),
            .perm = std::vector<int>(perm.begin(), perm.end()),
            .layout = {.perm = {},
                       .channel_axis = channel_axis,
                       .mirror_axis = mirror_axis,
                       .shift = 0,
                       .fill = {}},
            .window = window.typed_data(),
            .scale = scale.typed_data(),
            .channels = channels,
            .fill = fill.typed_data(),
            .filled = count > 0 ? fill.element_count() / count : 0};
  call.layout.perm = call.perm;
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!call.IsSound(i)) {
      return ffi::Error::InvalidArgument(
          "crop_mirror_normalize: extents, channels and fill values do not agree");
    }
  }
  ForEachSample(*to, 4, [&](std::int64_t i) { call.Run(i); });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(CropMirrorNormalizeHandler, dynjax::CropMirrorNormalizeBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // window
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // scale
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // fill
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<std::int32_t>("channel_axis")
                                  .Attr<std::int32_t>("mirror_axis")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("perm"));
