#include "normalise/crop_mirror_normalize_ffi.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "normalise/normalize_stage.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

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
  const NormalizeStage stage({.source = *source_type,
                              .target = *target_type,
                              .axes = std::vector<int>(axes.begin(), axes.end()),
                              .perm = std::vector<int>(perm.begin(), perm.end()),
                              .channel_axis = channel_axis,
                              .mirror_axis = mirror_axis,
                              .window = {window.typed_data(), window.element_count()},
                              .scale = {scale.typed_data(), scale.element_count()},
                              .fill = {fill.typed_data(), fill.element_count()}},
                             from->size());
  if (const char* fault = stage.Fault(from->rank())) {
    return ffi::Error::InvalidArgument(std::string("crop_mirror_normalize: ") + fault);
  }
  for (std::int64_t i = 0; i < from->size(); ++i) {
    if (!stage.IsSound(i, (*from)[i].extent, (*to)[i].extent)) {
      return ffi::Error::InvalidArgument(
          "crop_mirror_normalize: extents, channels and fill values do not agree");
    }
  }
  ForEachSample(*to, 4, [&](std::int64_t i) {
    (void)stage.Run(i, (*from)[i], (*to)[i]);  // nothing can go wrong
    to->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(CropMirrorNormalizeHandler, dynjax::CropMirrorNormalizeBatch,
                              dynjax::OneInput()
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
