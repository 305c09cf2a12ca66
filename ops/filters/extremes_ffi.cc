#include "filters/extremes_ffi.h"

#include <algorithm>

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "filters/extremes.h"
#include "filters/picture_planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error ExtremesBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                         ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                         ffi::Buffer<ffi::S32> table, ffi::Result<ffi::AnyBuffer> result,
                         bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                         ffi::Span<const std::int64_t> sizes, std::int32_t border,
                         std::int32_t iterations, bool largest) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 4);
  const auto planes = call ? Planes::Of(*call, first_axis) : std::nullopt;
  if (!planes || sizes.size() != 2 || border < 0 || border >= kBorders || iterations < 0 ||
      (call->row > 4 && first_axis < 1) ||
      (call->source_type != Pixel::kU8 && call->source_type != Pixel::kU16 &&
       call->source_type != Pixel::kF32)) {
    return ffi::Error::InvalidArgument("extremes: operands do not fit each other");
  }
  call->Run(
      table.typed_data(), 4, 4, [&](const Sample& from, const Sample& to, const std::int32_t* row) {
        // Inside `jit` a window may be larger than there is room for.
        const auto size = [&](std::size_t k) { return std::min<std::int64_t>(row[k], sizes[k]); };
        const ExtremesWindow window{.rows = size(0),
                                    .columns = size(1),
                                    .anchor_y = row[2],
                                    .anchor_x = row[3],
                                    .border = static_cast<Border>(border),
                                    .largest = largest};
        planes->ForEach(from, to, [&](const PlaneView& in, void* out, std::int64_t step) {
          Extremes(in, window, iterations, out, step);
        });
      });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ExtremesHandler, dynjax::ExtremesBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("sizes")
                                  .Attr<std::int32_t>("border")
                                  .Attr<std::int32_t>("iterations")
                                  .Attr<bool>("largest"));
