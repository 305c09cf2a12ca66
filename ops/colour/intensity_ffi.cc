#include "colour/intensity_ffi.h"

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/intensity.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error IntensityBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::F32> table, ffi::Result<ffi::AnyBuffer> result,
                          bool addressed, std::int32_t source_dtype) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 2);
  if (!call) return ffi::Error::InvalidArgument("intensity: operands do not fit each other");
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  call->Run(table.typed_data(), 2, 2, [&](const Sample& from, const Sample& to, const float* row) {
    ForEachRun(from, to, from.extent.size(), 1, 1,
               [&](std::int64_t at, std::int64_t out, std::int64_t n) {
                 ScaleIntensity(from.data + static_cast<std::size_t>(at) * in_bytes,
                                call->source_type, n, row[0], row[1], call->target_type,
                                to.data + static_cast<std::size_t>(out) * out_bytes);
               });
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(IntensityHandler, dynjax::IntensityBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
