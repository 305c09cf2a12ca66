#include "decoders/decode_ffi.h"

#include <string>

#include "base/one_input.h"
#include "base/samples.h"
#include "decoders/decode_stage.h"
#include "decoders/pixel_dtype.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error DecodeBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                       ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> params,
                       ffi::Result<ffi::AnyBuffer> pixels, ffi::ResultBuffer<ffi::S32> status,
                       std::int32_t output_type, bool adjust_orientation, std::int32_t scale,
                       bool addressed, std::int32_t /*source_dtype*/) {
  const auto type = PixelTypeOf(pixels->element_type());
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*pixels, out_extent);
  if (!type || !in || !out || in->rank() != 1 || out->rank() != 3 || in->size() != out->size() ||
      (!addressed && source.element_type() != ffi::U8) ||
      static_cast<std::int64_t>(status->element_count()) != 2 * in->size()) {
    return ffi::Error::InvalidArgument(
        "decode: want u8 bytes or addresses, s32[n, 1], s32[n, 3] -> pixels, s32[n, 2]");
  }
  const DecodeStage stage({.target = *type,
                           .output_type = output_type,
                           .adjust_orientation = adjust_orientation,
                           .scale = scale,
                           .table = {params.typed_data(), params.element_count()}},
                          in->size());
  if (const char* fault = stage.Fault()) {
    return ffi::Error::InvalidArgument(std::string("decode: ") + fault);
  }
  ForEachSample(*out, 32, [&](std::int64_t i) {
    const Status result = stage.Run(i, (*in)[i], (*out)[i]);
    out->ZeroPadding(i);
    status->typed_data()[2 * i] = static_cast<std::int32_t>(result.code());
    status->typed_data()[2 * i + 1] = result.detail();
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeHandler, dynjax::DecodeBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Attr<std::int32_t>("output_type")
                                  .Attr<bool>("adjust_orientation")
                                  .Attr<std::int32_t>("scale")
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
