#include "warp/warp_ffi.h"

#include <cstdint>
#include <string>

#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "warp/warp_stage.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

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
  if (!source_type || !target_type) {
    return ffi::Error::InvalidArgument("warp: want integers of at most 32 bits or floats");
  }
  const WarpStage stage({.source = *source_type,
                         .target = *target_type,
                         .axes = {axes.begin(), axes.end()},
                         .interp = interp,
                         .border = border,
                         .perspective = perspective,
                         .channel_first = channel_first,
                         .maps = {maps.typed_data(), maps.element_count()},
                         .fill = {fill.typed_data(), fill.element_count()}},
                        from->size(), from->rank());
  if (const char* fault = stage.Fault()) {
    return ffi::Error::InvalidArgument(std::string("warp: ") + fault);
  }
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!stage.IsSound(i, (*from)[i].extent, (*to)[i].extent)) {
      return ffi::Error::InvalidArgument(
          "warp: want equal frames and channels, no empty source, one fill or one a channel");
    }
  }
  ForEachSample(*to, 8, [&](std::int64_t i) {
    (void)stage.Run(i, (*from)[i], (*to)[i]);  // nothing can go wrong
    to->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(WarpHandler, dynjax::WarpBatch,
                              dynjax::OneInput()
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
