#include "colour/color_matrix_ffi.h"

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/color_matrix.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error ColorMatrixBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                            ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                            ffi::Buffer<ffi::F32> table, ffi::Result<ffi::AnyBuffer> result,
                            bool addressed, std::int32_t source_dtype, std::int32_t inputs,
                            std::int32_t outputs) {
  if (inputs < 1 || outputs < 1 || inputs > kMaxMatrixChannels || outputs > kMaxMatrixChannels) {
    return ffi::Error::InvalidArgument("color_matrix: want 1 to 4 channels");
  }
  const auto unit = static_cast<std::size_t>(outputs * (inputs + 1));
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), unit, 1);
  if (!call) return ffi::Error::InvalidArgument("color_matrix: operands do not fit each other");
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Sample &from = call->source[i], &to = call->target[i];
    const std::size_t last = from.extent.size() - 1;
    // Pixels lie side by side: slots have no room beside the channels.
    if (from.extent[last] != inputs || to.extent[last] != outputs ||
        (last > 0 && (from.strides[last - 1] != inputs || to.strides[last - 1] != outputs))) {
      return ffi::Error::InvalidArgument("color_matrix: another number of channels than promised");
    }
  }
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  call->Run(table.typed_data(), unit, 4,
            [&](const Sample& from, const Sample& to, const float* rows) {
              const ColorMatrix matrix{.inputs = inputs, .outputs = outputs, .rows = rows};
              ForEachRun(from, to, from.extent.size() - 1, inputs, outputs,
                         [&](std::int64_t at, std::int64_t out, std::int64_t n) {
                           ApplyColorMatrix(from.data + static_cast<std::size_t>(at) * in_bytes,
                                            call->source_type, n, matrix, call->target_type,
                                            to.data + static_cast<std::size_t>(out) * out_bytes);
                         });
            });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ColorMatrixHandler, dynjax::ColorMatrixBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("inputs_count")
                                  .Attr<std::int32_t>("outputs_count"));
