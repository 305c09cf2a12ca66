#include "decoders/decode_slots_ffi.h"

#include <cstring>
#include <mutex>
#include <string>

#include "base/samples.h"
#include "decoders/decode.h"
#include "decoders/failure.h"
#include "decoders/pixel_dtype.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

std::string Reason(StatusCode code) {
  return code == StatusCode::kTooLarge ? "the picture is larger than bound=" : WhyNotDecoded(code);
}

// The slots of the result.
struct Slots {
  std::byte* data;
  std::int32_t height, width, channels;
  PixelType type;

  std::size_t pixel_bytes() const { return static_cast<std::size_t>(channels) * ItemBytes(type); }
  std::size_t row_bytes() const { return static_cast<std::size_t>(width) * pixel_bytes(); }
  std::size_t bytes() const { return static_cast<std::size_t>(height) * row_bytes(); }
  std::byte* At(std::int64_t i) const { return data + static_cast<std::size_t>(i) * bytes(); }
  bool Holds(const ImageExtent& e) const {
    return e.height <= height && e.width <= width && e.channels == channels;
  }
};

Status DecodeOne(Bytes encoded, const DecodeOptions& options, const Slots& slots, std::byte* slot,
                 ImageExtent* extent) {
  if (const auto status = ExtentOf(encoded, options, extent); !status.ok()) return status;
  if (!slots.Holds(*extent)) return StatusCode::kTooLarge;
  return DecodeImage(encoded, options, std::nullopt,
                     {.data = slot,
                      .height = extent->height,
                      .width = extent->width,
                      .channels = extent->channels,
                      .row_stride = static_cast<std::int64_t>(slots.row_bytes()),
                      .pixel_stride = static_cast<std::int64_t>(slots.pixel_bytes()),
                      .type = slots.type});
}

template <typename T>
void FillRow(std::byte* row, std::size_t count, double value) {
  for (std::size_t k = 0; k < count; ++k) {
    const T item = static_cast<T>(value);
    std::memcpy(row + k * sizeof(T), &item, sizeof(T));
  }
}

// `count` elements of a value that fits their type.
void FillRow(PixelType type, std::byte* row, std::size_t count, double value) {
  switch (type) {
    case PixelType::kU8:
      return FillRow<std::uint8_t>(row, count, value);
    case PixelType::kI8:
      return FillRow<std::int8_t>(row, count, value);
    case PixelType::kU16:
      return FillRow<std::uint16_t>(row, count, value);
    case PixelType::kI16:
      return FillRow<std::int16_t>(row, count, value);
    case PixelType::kU32:
      return FillRow<std::uint32_t>(row, count, value);
    case PixelType::kI32:
      return FillRow<std::int32_t>(row, count, value);
    case PixelType::kF32:
      return FillRow<float>(row, count, value);
  }
}

void Fill(const Slots& slots, std::byte* slot, const ImageExtent& extent, double value) {
  const auto count =
      static_cast<std::size_t>(extent.width) * static_cast<std::size_t>(slots.channels);
  for (std::int32_t y = 0; y < extent.height; ++y) {
    FillRow(slots.type, slot + static_cast<std::size_t>(y) * slots.row_bytes(), count, value);
  }
}

void ZeroOutside(const Slots& slots, std::byte* slot, const ImageExtent& extent) {
  const std::size_t used = static_cast<std::size_t>(extent.width) * slots.pixel_bytes();
  const auto height = static_cast<std::size_t>(extent.height);
  for (std::size_t y = 0; y < height; ++y) {
    std::memset(slot + y * slots.row_bytes() + used, 0, slots.row_bytes() - used);
  }
  const std::size_t end = height * slots.row_bytes();
  std::memset(slot + end, 0, slots.bytes() - end);
}

ffi::Error DecodeSlots(ffi::AnyBuffer encoded, ffi::Buffer<ffi::S32> extent,
                       ffi::Result<ffi::AnyBuffer> pixels, ffi::ResultBuffer<ffi::S32> out_extent,
                       std::int32_t output_type, bool adjust_orientation, std::int32_t scale,
                       bool raises, std::int32_t fill_height, std::int32_t fill_width,
                       float fill_value) {
  const auto type = PixelTypeOf(pixels->element_type());
  const auto in = Samples::Of(encoded, extent);
  const auto dims = pixels->dimensions();
  if (!type || encoded.element_type() != ffi::U8 || !in || in->rank() != 1 || !in->slotted() ||
      dims.size() < 4 || scale < 1 || scale > kFullScale || output_type < 0 ||
      output_type >= static_cast<std::int32_t>(OutputType::kAny) ||
      static_cast<std::int64_t>(out_extent->element_count()) != 3 * in->size()) {
    return ffi::Error::InvalidArgument(
        "decode_slots: want u8[..., n, bytes], s32[..., n, 1] -> pixels [..., n, h, w, c], "
        "s32[..., n, 3]");
  }
  const auto last = dims.end();
  const Slots slots{.data = static_cast<std::byte*>(pixels->untyped_data()),
                    .height = static_cast<std::int32_t>(last[-3]),
                    .width = static_cast<std::int32_t>(last[-2]),
                    .channels = static_cast<std::int32_t>(last[-1]),
                    .type = *type};
  const ImageExtent filled{fill_height, fill_width, slots.channels};
  if (static_cast<std::size_t>(in->size()) * slots.bytes() != pixels->size_bytes() ||
      fill_height < 1 || fill_width < 1 || !slots.Holds(filled)) {
    return ffi::Error::InvalidArgument("decode_slots: the slots do not fit the samples");
  }
  const DecodeOptions options{.output_type = static_cast<OutputType>(output_type),
                              .adjust_orientation = adjust_orientation,
                              .scale = scale};
  std::mutex mutex;
  std::int64_t first_bad = -1;
  StatusCode why = StatusCode::kOk;
  ForEachSample(*in, 32, [&](std::int64_t i) {
    const Sample& source = (*in)[i];
    const Bytes bytes{source.as<const std::uint8_t>(), static_cast<std::size_t>(source.extent[0])};
    ImageExtent size = filled;
    const Status status = DecodeOne(bytes, options, slots, slots.At(i), &size);
    if (!status.ok()) {
      size = filled;
      Fill(slots, slots.At(i), size, fill_value);
      const std::lock_guard lock(mutex);
      if (first_bad < 0 || i < first_bad) first_bad = i, why = status.code();
    }
    ZeroOutside(slots, slots.At(i), size);
    std::int32_t* row = out_extent->typed_data() + 3 * i;
    row[0] = size.height, row[1] = size.width, row[2] = size.channels;
  });
  if (raises && first_bad >= 0) {
    return ffi::Error::InvalidArgument("decoders.image: sample " + std::to_string(first_bad) +
                                       ": " + Reason(why) + ".");
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeSlotsHandler, dynjax::DecodeSlots,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Attr<std::int32_t>("output_type")
                                  .Attr<bool>("adjust_orientation")
                                  .Attr<std::int32_t>("scale")
                                  .Attr<bool>("raises")
                                  .Attr<std::int32_t>("fill_height")
                                  .Attr<std::int32_t>("fill_width")
                                  .Attr<float>("fill_value"));
