#include "warp/warp_ffi.h"

#include <algorithm>
#include <cstdint>

#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "warp/frames.h"
#include "warp/warp.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// The operands of one call, checked before any work starts.
struct Call {
  const Samples& source;
  const Samples& target;
  Pixel source_type, target_type;
  PictureAxes axes;
  Sampling sampling;
  bool perspective, channel_first;
  std::span<const float> maps, fill;

  std::int64_t entries() const { return EntriesOf(axes.count, perspective); }
  std::int64_t maps_per_sample() const {
    return static_cast<std::int64_t>(maps.size()) / (target.size() * entries());
  }
  std::span<const float> fill_of(std::int64_t i) const {
    const auto each = fill.size() / static_cast<std::size_t>(target.size());
    return fill.subspan(static_cast<std::size_t>(i) * each, each);
  }

  bool IsSound(std::int64_t i) const {
    if (!FramesAgree(source[i], target[i], axes)) return false;
    const auto values = static_cast<std::int64_t>(fill_of(i).size());
    const std::int64_t channels = channel_first
                                      ? source[i].extent[static_cast<std::size_t>(axes.first - 1)]
                                      : Channels(source[i], axes);
    return values == 1 || values == channels;
  }

  void Run(std::int64_t i) const {
    if (target[i].volume() > 0) {
      const std::int64_t count = Frames(target[i], axes), each = maps_per_sample();
      // Frames come first; what follows them, such as channels, shares their map.
      const std::int64_t within = axes.first > 0 ? count / target[i].extent[0] : 1;
      const auto fills = fill_of(i);
      for (std::int64_t f = 0; f < count; ++f) {
        const std::int64_t m = i * each + std::min(f / within, each - 1);
        const WarpMap map{maps.subspan(static_cast<std::size_t>(m * entries()),
                                       static_cast<std::size_t>(entries())),
                          axes.count, perspective};
        Sampling frame = sampling;
        frame.fill = channel_first && fills.size() > 1
                         ? fills.subspan(static_cast<std::size_t>(f) % fills.size(), 1)
                         : fills;
        Warp(PictureOf(source[i], source_type, axes, f), CanvasOf(target[i], target_type, axes, f),
             map, frame);
      }
    }
    target.ZeroPadding(i);
  }
};

ffi::Error WarpBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                     ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::F32> maps,
                     ffi::Buffer<ffi::F32> fill, ffi::Result<ffi::AnyBuffer> result, bool addressed,
                     std::int32_t source_dtype, ffi::Span<const std::int64_t> axes,
                     std::int32_t interp, std::int32_t border, bool perspective,
                     bool channel_first) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  if (!from || !to || from->size() != to->size() || from->rank() != to->rank()) {
    return ffi::Error::InvalidArgument("warp: the extents do not fit their buffers");
  }
  const auto source_type =
      PixelOf(addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type());
  const auto target_type = PixelOf(result->element_type());
  if (!source_type || !target_type || !CanSample(*source_type, *target_type)) {
    return ffi::Error::InvalidArgument("warp: want the same element type or a float32 result");
  }
  const auto chosen = PictureAxesOf(axes, from->rank());
  if (!chosen || (channel_first && chosen->first == 0) || interp < 0 || interp >= kInterpolations ||
      border < 0 || border >= kEdges) {
    return ffi::Error::InvalidArgument(
        "warp: want 2 or 3 adjacent axes, a known interp and border");
  }
  if (from->size() == 0) return ffi::Error::Success();
  const auto entries =
      static_cast<std::size_t>(from->size() * EntriesOf(chosen->count, perspective));
  const auto samples = static_cast<std::size_t>(from->size());
  if (maps.element_count() == 0 || maps.element_count() % entries != 0 ||
      fill.element_count() == 0 || fill.element_count() % samples != 0) {
    return ffi::Error::InvalidArgument("warp: want maps f32[n, t * entries], fill f32[n, c]");
  }
  const Call call{*from,
                  *to,
                  *source_type,
                  *target_type,
                  *chosen,
                  {static_cast<Interpolation>(interp), static_cast<Edge>(border), {}},
                  perspective,
                  channel_first,
                  {maps.typed_data(), maps.element_count()},
                  {fill.typed_data(), fill.element_count()}};
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!call.IsSound(i)) {
      return ffi::Error::InvalidArgument(
          "warp: want equal frames and channels, no empty source, one fill or one a channel");
    }
  }
  ForEachSample(*to, 8, [&](std::int64_t i) { call.Run(i); });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(WarpHandler, dynjax::WarpBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()              // into
                                  .Arg<xla::ffi::AnyBuffer>()              // source
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // out_extent
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // maps
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // fill
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<std::int32_t>("interp")
                                  .Attr<std::int32_t>("border")
                                  .Attr<bool>("perspective")
                                  .Attr<bool>("channel_first"));
