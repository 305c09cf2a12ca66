#include "audio/to_decibels_ffi.h"

#include <cstdint>

#include "audio/levels.h"
#include "base/one_input.h"
#include "base/pixel_call.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error ToDecibelsBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                           ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                           ffi::Buffer<ffi::F32> scales, ffi::Result<ffi::AnyBuffer> result,
                           bool addressed, std::int32_t source_dtype) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  scales.element_count(), 3);
  if (!call || call->row > 3 || call->source_type != Pixel::kF32 ||
      call->target_type != Pixel::kF32) {
    return ffi::Error::InvalidArgument("to_decibels: operands do not fit each other");
  }
  const LevelKernels& kernels = LevelKernelsFor(BestTarget());
  call->Run(scales.typed_data(), 3, 8, [&](const Sample& from, const Sample& to, const float* own) {
    const std::size_t rank = from.extent.size();
    float reference = own[1];
    if (reference == 0) {
      ForEachRun(from, from, rank, 1, 1, [&](std::int64_t at, std::int64_t, std::int64_t n) {
        reference = kernels.largest(from.as<float>() + at, n, reference);
      });
    }
    if (reference == 0) reference = 1;
    ForEachRun(from, to, rank, 1, 1, [&](std::int64_t at, std::int64_t out, std::int64_t n) {
      kernels.decibels(from.as<float>() + at, n, own[0], reference, own[2], to.as<float>() + out);
    });
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ToDecibelsHandler, dynjax::ToDecibelsBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
