#include "filters/median_ffi.h"

#include <algorithm>

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "filters/median.h"
#include "filters/picture_planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error MedianBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                       ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> table,
                       ffi::Result<ffi::AnyBuffer> result, bool addressed,
                       std::int32_t source_dtype, std::int32_t first_axis,
                       ffi::Span<const std::int64_t> sizes) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 2);
  const auto planes = call ? Planes::Of(*call, first_axis) : std::nullopt;
  if (!planes || call->row != 2 || call->source_type == Pixel::kF16 || sizes.size() != 2 ||
      sizes[0] < 1 || sizes[0] > kLargestMedianWindow || sizes[1] < 1 ||
      sizes[1] > kLargestMedianWindow) {
    return ffi::Error::InvalidArgument("median: operands do not fit each other");
  }
  call->Run(table.typed_data(), 2, 2 * sizes[0] * sizes[1],
            [&](const Sample& from, const Sample& to, const std::int32_t* row) {
              // Inside `jit` a window may be larger than there is room for, or empty.
              const auto size = [&](std::size_t k) {
                return std::clamp<std::int64_t>(row[k], 1, sizes[k]);
              };
              const MedianWindow window{
                  .rows = size(0),
                  .columns = size(1),
                  .anchor_y = row[0] / 2,
                  .anchor_x = row[1] / 2,
                  .rank = std::clamp<std::int64_t>(std::int64_t{row[0]} * row[1] / 2, 0,
                                                   size(0) * size(1) - 1)};
              planes->ForEach(from, to, [&](const PlaneView& in, void* out, std::int64_t step) {
                Median(in, window, out, step);
              });
            });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(MedianHandler, dynjax::MedianBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("sizes"));
