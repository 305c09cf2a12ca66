#include "colour/jpeg_distortion_ffi.h"

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/jpeg_distortion.h"
#include "filters/planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error JpegDistortionBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                               ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                               ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                               bool addressed, std::int32_t source_dtype) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 1);
  if (!call || call->source_type != Pixel::kU8 || call->target_type != Pixel::kU8 ||
      call->source.rank() < 3 || call->row != 1) {
    return ffi::Error::InvalidArgument("jpeg_distortion: operands do not fit each other");
  }
  const std::size_t lead = call->source.rank() - 3;
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Sample &from = call->source[i], &to = call->target[i];
    if (from.extent[lead + 2] != 3 || from.strides[lead + 1] != 3 || to.strides[lead + 1] != 3) {
      return ffi::Error::InvalidArgument("jpeg_distortion: want RGB");
    }
  }
  call->Run(table.typed_data(), 1, 16,
            [&](const Sample& from, const Sample& to, const std::int32_t* quality) {
              ForEachPlane(from, to, lead, [&](std::int64_t at, std::int64_t out) {
                DistortAsJpeg(from.as<const std::uint8_t>() + at, from.strides[lead],
                              from.extent[lead], from.extent[lead + 1], *quality,
                              to.as<std::uint8_t>() + out, to.strides[lead]);
              });
            });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(JpegDistortionHandler, dynjax::JpegDistortionBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
