#include "colour/equalize_ffi.h"

#include <algorithm>
#include <vector>

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/equalize.h"
#include "filters/planes.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// One image: rows of pixels whose channels are equalised apart.
void EqualizePlane(const std::uint8_t* in, std::int64_t in_step, std::uint8_t* out,
                   std::int64_t out_step, std::int64_t height, std::int64_t width,
                   std::int64_t channels) {
  std::vector<Histogram> histograms(static_cast<std::size_t>(channels), Histogram{});
  for (std::int64_t y = 0; y < height; ++y) {
    CountBytes(in + y * in_step, width, channels, histograms.data());
  }
  std::vector<ByteTable> tables;
  for (const auto& histogram : histograms) tables.push_back(EqualizingTable(histogram));
  for (std::int64_t y = 0; y < height; ++y) {
    MapBytes(in + y * in_step, width, channels, tables.data(), out + y * out_step);
  }
}

ffi::Error EqualizeBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                         ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                         ffi::Result<ffi::AnyBuffer> result, bool addressed,
                         std::int32_t source_dtype, std::int32_t first_axis) {
  const auto call =
      PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result, 0, 0);
  if (!call || call->source_type != Pixel::kU8 || call->target_type != Pixel::kU8 ||
      first_axis < 0 || first_axis + 2 > static_cast<std::int32_t>(call->source.rank())) {
    return ffi::Error::InvalidArgument("equalize: operands do not fit each other");
  }
  const auto lead = static_cast<std::size_t>(first_axis);
  for (std::int64_t i = 0; i < call->source.size(); ++i) {
    if (!HasWholeRows(call->source[i], lead + 1) || !HasWholeRows(call->target[i], lead + 1)) {
      return ffi::Error::InvalidArgument("equalize: want the same channels in all samples");
    }
  }
  call->Run<float>(nullptr, 0, 4, [&](const Sample& from, const Sample& to, const float*) {
    std::int64_t height = from.extent[lead], width = from.extent[lead + 1];
    const std::int64_t channels = InnerOf(from, lead + 1);
    if (height * width * channels == 0) return;
    if (from.strides[lead] == width * channels && to.strides[lead] == width * channels) {
      width *= height;  // rows without gaps are one
      height = 1;
    }
    ForEachPlane(from, to, lead, [&](std::int64_t at, std::int64_t out) {
      EqualizePlane(from.as<const std::uint8_t>() + at, from.strides[lead],
                    to.as<std::uint8_t>() + out, to.strides[lead], height, width, channels);
    });
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(EqualizeHandler, dynjax::EqualizeBatch,
                              dynjax::OneInput()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("first_axis"));
