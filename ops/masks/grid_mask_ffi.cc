#include "masks/grid_mask_ffi.h"

#include <array>
#include <cstdint>
#include <vector>

#include "base/one_input.h"
#include "base/samples.h"
#include "masks/grid_mask.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

constexpr std::int64_t kParams = 5;

ffi::Error GridMaskBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                         ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                         ffi::Buffer<ffi::F32> grids, ffi::Result<ffi::AnyBuffer> result,
                         bool addressed, std::int32_t source_dtype,
                         ffi::Span<const std::int64_t> axes) {
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  if (!in || !out || in->size() != out->size() || in->rank() != out->rank() ||
      type != result->element_type() || axes.size() != 2 || axes[0] < 0 || axes[0] >= axes[1] ||
      axes[1] >= static_cast<std::int64_t>(out->rank()) ||
      static_cast<std::int64_t>(grids.element_count()) != kParams * in->size()) {
    return ffi::Error::InvalidArgument(
        "grid_mask: want source, s32[n, rank] twice, f32[n, 5] -> a result of the source's type");
  }
  const std::size_t item = ffi::ByteWidth(type);
  const auto rows = static_cast<std::size_t>(axes[0]), columns = static_cast<std::size_t>(axes[1]);
  ForEachSample(*out, 2, [&](std::int64_t i) {
    const Sample &from = (*in)[i], &to = (*out)[i];
    std::array<std::int64_t, kMaxRank> in_strides, out_strides;
    for (std::size_t a = 0; a < kMaxRank; ++a) {
      in_strides[a] = from.strides[a] * static_cast<std::int64_t>(item);
      out_strides[a] = to.strides[a] * static_cast<std::int64_t>(item);
    }
    const float* p = grids.typed_data() + kParams * i;
    std::vector<std::uint8_t> masked(static_cast<std::size_t>(to.extent[columns]));
    if (to.volume() > 0) {
      MaskGrid({from.data, to.extent, in_strides}, {to.data, to.extent, out_strides}, item, rows,
               columns, {p[0], p[1], p[2], p[3], p[4]}, masked);
    }
    out->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(GridMaskHandler, dynjax::GridMaskBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes"));
