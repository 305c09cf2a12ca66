#include "masks/erase_ffi.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/one_input.h"
#include "base/samples.h"
#include "masks/erase.h"
#include "movement/element_ffi.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error EraseBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                      ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> limits,
                      ffi::Buffer<ffi::F32> fill, ffi::Result<ffi::AnyBuffer> result,
                      bool addressed, std::int32_t source_dtype, ffi::Span<const std::int64_t> axes,
                      std::int32_t fill_axis) {
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  const auto element = ElementOf(type);
  const std::vector<int> along(axes.begin(), axes.end());
  const auto count = out ? static_cast<std::size_t>(out->size()) : 0;
  const std::size_t numbers = count > 0 ? limits.element_count() / count : 0;
  const std::size_t values = count > 0 ? fill.element_count() / count : 0;
  if (!in || !out || in->size() != out->size() || in->rank() != out->rank() || !element ||
      type != result->element_type() || !AreAxes(along, out->rank()) ||
      limits.element_count() != count * numbers || fill.element_count() != count * values ||
      numbers % std::max<std::size_t>(2 * along.size(), 1) != 0 ||
      fill_axis >= static_cast<std::int32_t>(out->rank())) {
    return ffi::Error::InvalidArgument(
        "erase: want source, s32[n, rank] twice, s32[n, regions * 2 * axes], f32[n, values] -> a "
        "result of the source's type");
  }
  ForEachSample(*out, 1, [&](std::int64_t i) {
    const Sample &from = (*in)[i], &to = (*out)[i];
    const auto k = static_cast<std::size_t>(i);
    Erase({from.data, *element, to.extent, from.strides},
          {to.data, *element, to.extent, to.strides},
          {.axes = along,
           .limits = {limits.typed_data() + k * numbers, numbers},
           .fill = {fill.typed_data() + k * values, values},
           .fill_axis = fill_axis});
    out->ZeroPadding(i);
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(EraseHandler, dynjax::EraseBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<xla::ffi::Span<const std::int64_t>>("axes")
                                  .Attr<std::int32_t>("fill_axis"));
