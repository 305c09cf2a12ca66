#include "filters/separable_ffi.h"

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "filters/planes.h"
#include "filters/separable.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error SeparableBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::F32> table, ffi::Result<ffi::AnyBuffer> result,
                          bool addressed, std::int32_t source_dtype, std::int32_t first_axis,
                          std::int32_t axes, std::int32_t terms, std::int32_t frames) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), static_cast<std::size_t>(frames));
  const auto windows = static_cast<std::size_t>(terms * axes);
  if (!call || axes < 1 || axes > 3 || terms < 1 || frames < 1 || first_axis < 0 ||
      (frames > 1 && first_axis < 1) ||
      first_axis + axes > static_cast<std::int32_t>(call->source.rank()) ||
      call->row % (static_cast<std::size_t>(frames) * windows) != 0) {
    return ffi::Error::InvalidArgument("separable: operands do not fit each other");
  }
  const std::size_t unit = call->row / static_cast<std::size_t>(frames);
  const std::size_t width = unit / windows;
  const auto last = static_cast<std::size_t>(first_axis + axes - 1);
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    if (width % 2 == 0 || !HasWholeRows(call->source[i], last) ||
        !HasWholeRows(call->target[i], last)) {
      return ffi::Error::InvalidArgument(
          "separable: want windows of odd size, and the same channels in all samples");
    }
  }
  const std::size_t in_bytes = Bytes(call->source_type), out_bytes = Bytes(call->target_type);
  const auto run = [&](const Sample& from, const Sample& to, const float* row) {
    const std::size_t lead =
        static_cast<std::size_t>(first_axis) - (call->source.rank() - from.extent.size());
    const std::size_t behind = lead + static_cast<std::size_t>(axes) - 1;
    FilterGrid grid{.inner = InnerOf(from, behind)};
    std::array<std::int64_t, 2> in_step{}, out_step{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(axes); ++k) {
      grid.extent[2 - k] = from.extent[behind - k];
      if (k > 0) {
        in_step[2 - k] = from.strides[behind - k];
        out_step[2 - k] = to.strides[behind - k];
      }
    }
    const SeparableWindows own{
        .weights = row, .terms = terms, .axes = axes, .width = static_cast<std::int64_t>(width)};
    ForEachPlane(from, to, lead, [&](std::int64_t at, std::int64_t out) {
      FilterSeparably(
          grid, {from.data + static_cast<std::size_t>(at) * in_bytes, call->source_type, in_step},
          own, to.data + static_cast<std::size_t>(out) * out_bytes, call->target_type, out_step);
    });
  };
  call->Run(table.typed_data(), unit, 16, run);
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(SeparableHandler, dynjax::SeparableBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis")
                                  .Attr<std::int32_t>("axes")
                                  .Attr<std::int32_t>("terms")
                                  .Attr<std::int32_t>("frames"));
