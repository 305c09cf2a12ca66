#include "decoders/picture_sizes_ffi.h"

#include <string>
#include <string_view>

#include "base/samples.h"
#include "decoders/decode.h"
#include "decoders/failure.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

ffi::Error PictureSizes(ffi::AnyBuffer encoded, ffi::Buffer<ffi::S32> extent,
                        ffi::ResultBuffer<ffi::S32> sizes, std::int32_t output_type,
                        bool adjust_orientation, std::int32_t scale, std::int64_t max_pixels,
                        std::string_view caller) {
  const auto in = Samples::Of(encoded, extent);
  if (encoded.element_type() != ffi::U8 || !in || in->rank() != 1 || scale < 1 ||
      scale > kFullScale || output_type < 0 ||
      output_type >= static_cast<std::int32_t>(OutputType::kAny) ||
      static_cast<std::int64_t>(sizes->element_count()) != 3 * in->size()) {
    return ffi::Error::InvalidArgument(
        "picture_sizes: want u8[..., n, bytes], s32[..., n, 1] -> s32[..., n, 3]");
  }
  const DecodeOptions options{.output_type = static_cast<OutputType>(output_type),
                              .adjust_orientation = adjust_orientation,
                              .scale = scale};
  for (std::int64_t i = 0; i < in->size(); ++i) {
    const Sample& source = (*in)[i];
    ImageExtent size{};
    Status status =
        ExtentOf({source.as<const std::uint8_t>(), static_cast<std::size_t>(source.extent[0])},
                 options, &size);
    if (status.ok() && std::int64_t{size.height} * size.width > max_pixels) {
      status = StatusCode::kTooLarge;
    }
    if (!status.ok()) {
      return ffi::Error::InvalidArgument(std::string(caller) + ": sample " + std::to_string(i) +
                                         ": " + WhyNotDecoded(status.code()) + ".");
    }
    std::int32_t* row = sizes->typed_data() + 3 * i;
    row[0] = size.height, row[1] = size.width, row[2] = size.channels;
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(PictureSizesHandler, dynjax::PictureSizes,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Attr<std::int32_t>("output_type")
                                  .Attr<bool>("adjust_orientation")
                                  .Attr<std::int32_t>("scale")
                                  .Attr<std::int64_t>("max_pixels")
                                  .Attr<std::string_view>("caller"));
