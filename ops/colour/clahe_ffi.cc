#include "colour/clahe_ffi.h"

#include <algorithm>
#include <vector>

#include "base/one_input.h"
#include "base/pixel_call.h"
#include "colour/clahe.h"
#include "colour/lab.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

void EqualizeLightness(const Sample& from, const Sample& to, const Tiles& tiles) {
  const std::int64_t height = from.extent[0], width = from.extent[1], area = height * width;
  // Kept for the next sample: fresh memory of this size costs as much as the conversion.
  thread_local std::vector<std::uint8_t> planes;
  planes.resize(std::max(planes.size(), static_cast<std::size_t>(3 * area)));
  const auto row = [&](std::int64_t y) {
    std::uint8_t* lightness = planes.data() + y * width;
    return LabRow{lightness, lightness + area, lightness + 2 * area};
  };
  for (std::int64_t y = 0; y < height; ++y) {
    RgbToLab(from.as<const std::uint8_t>() + y * from.strides[0], width, row(y));
  }
  const BytePlane lightness{planes.data(), height, width, 1, width};
  EqualizeTiles(lightness, tiles, lightness);
  for (std::int64_t y = 0; y < height; ++y) {
    LabToRgb(row(y), width, to.as<std::uint8_t>() + y * to.strides[0]);
  }
}

ffi::Error ClaheBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                      ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::F32> table,
                      ffi::Result<ffi::AnyBuffer> result, bool addressed, std::int32_t source_dtype,
                      std::int32_t tiles_x, std::int32_t tiles_y, bool luma_only) {
  const auto call = PixelCall::Of(addressed, source_dtype, source, extent, out_extent, *result,
                                  table.element_count(), 1);
  if (!call || call->source_type != Pixel::kU8 || call->target_type != Pixel::kU8 ||
      call->source.rank() != 3 || call->row != 1 || tiles_x < 1 || tiles_y < 1) {
    return ffi::Error::InvalidArgument("clahe: operands do not fit each other");
  }
  call->Run(table.typed_data(), 1, 16, [&](const Sample& from, const Sample& to, const float* row) {
    const Tiles tiles{.across = tiles_x, .down = tiles_y, .clip_limit = *row};
    const std::int32_t channels = from.extent[2];
    // Lightness needs pixels of three bytes side by side.
    if (luma_only && channels == 3 && from.strides[1] == 3 && to.strides[1] == 3) {
      return EqualizeLightness(from, to, tiles);
    }
    for (std::int32_t c = 0; c < channels; ++c) {
      EqualizeTiles(
          {from.as<std::uint8_t>() + c, from.extent[0], from.extent[1], from.strides[1],
           from.strides[0]},
          tiles,
          {to.as<std::uint8_t>() + c, to.extent[0], to.extent[1], to.strides[1], to.strides[0]});
    }
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ClaheHandler, dynjax::ClaheBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::Buffer<xla::ffi::F32>>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype")
                                  .Attr<std::int32_t>("tiles_x")
                                  .Attr<std::int32_t>("tiles_y")
                                  .Attr<bool>("luma_only"));
