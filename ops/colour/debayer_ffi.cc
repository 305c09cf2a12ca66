#include "colour/debayer_ffi.h"

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/debayer.h"
#include "filters/planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error DebayerBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                        ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                        ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                        bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                        std::int32_t method) {
  const auto rank = static_cast<std::size_t>(extent.dimensions().back());
  const auto lead = static_cast<std::size_t>(first_axis);
  const auto wrong = [] {
    return ffi::Error::InvalidArgument("debayer: operands do not fit each other");
  };
  if (first_axis < 0 || lead + 2 > rank || method < 0 || method >= kDemosaics) return wrong();
  const auto how = static_cast<Demosaic>(method);
  const std::int64_t channels = ChannelsOf(how);
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 2, rank - lead - 2);
  if (!call || call->source_type != call->target_type || call->target.rank() != lead + 3 ||
      (call->source_type != Pixel::kU8 &&
       (call->source_type != Pixel::kU16 || how == Demosaic::kGradients)) ||
      (call->row > 2 && lead < 1)) {
    return wrong();
  }
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    const Sample &from = call->source[i], &to = call->target[i];
    if (from.extent[lead] % 2 != 0 || from.extent[lead + 1] % 2 != 0 ||
        to.extent[lead + 2] != channels || to.strides[lead + 1] != channels ||
        !HasWholeRows(from, lead + 1) || InnerOf(from, lead + 1) != 1) {
      return wrong();
    }
  }
  call->Run(table.typed_data(), 2, 4,
            [&](const Sample& from, const Sample& to, const std::int32_t* first) {
              const std::size_t own = lead - (rank - from.extent.size());
              ForEachPlane(from, to, own, [&](std::int64_t at, std::int64_t out) {
                const auto run = [&]<typename T>(const T* in, T* result) {
                  Debayer(how, in + at, from.strides[own], from.extent[own], from.extent[own + 1],
                          first[0], first[1], result + out, to.strides[own]);
                };
                if (call->source_type == Pixel::kU8) {
                  run(from.as<const std::uint8_t>(), to.as<std::uint8_t>());
                } else {
                  run(from.as<const std::uint16_t>(), to.as<std::uint16_t>());
                }
              });
            });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(DebayerHandler, dynjax::DebayerBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<std::int32_t>("method"));
