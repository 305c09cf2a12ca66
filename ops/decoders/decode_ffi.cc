#include "decoders/decode_ffi.h"

#include <optional>

#include "base/samples.h"
#include "decoders/decode.h"
#include "decoders/pixel_dtype.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// Of a whole picture, and of a part.
constexpr std::int64_t kParams = 5, kPartParams = 7;

ImageTarget TargetOf(const Sample& sample, PixelType type) {
  const auto item = static_cast<std::int64_t>(ItemBytes(type));
  return {.data = sample.data,
          .height = sample.extent[0],
          .width = sample.extent[1],
          .channels = sample.extent[2],
          .row_stride = sample.strides[0] * item,
          .pixel_stride = sample.strides[1] * item,
          .type = type};
}

Status DecodeSample(const Sample& source, const std::int32_t* params, bool has_part,
                    const DecodeOptions& options, const ImageTarget& target) {
  const Bytes bytes{source.as<const std::uint8_t>(), static_cast<std::size_t>(source.extent[0])};
  const auto kind = static_cast<SourceKind>(params[0]);
  std::optional<PartOrigin> part;
  if (has_part) part = {params[kParams], params[kParams + 1]};
  if (kind == SourceKind::kEncoded) return DecodeImage(bytes, options, part, target);
  const RawShape shape{params[1], params[2], params[3], params[4]};
  return ConvertImage(bytes, kind, shape, options, part, target);
}

ffi::Error DecodeBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                       ffi::Buffer<ffi::S32> out_extent, ffi::Buffer<ffi::S32> params,
                       ffi::Result<ffi::AnyBuffer> pixels, ffi::ResultBuffer<ffi::S32> status,
                       std::int32_t output_type, bool adjust_orientation, std::int32_t scale,
                       bool addressed, std::int32_t /*source_dtype*/) {
  const auto type = PixelTypeOf(pixels->element_type());
  const auto in = Samples::Source(addressed, source, extent);
  const auto out = Samples::Of(*pixels, out_extent);
  const auto width = params.dimensions().size() == 2 ? params.dimensions()[1] : 0;
  if (!type || !in || !out || in->rank() != 1 || out->rank() != 3 || in->size() != out->size() ||
      scale < 1 || scale > kFullScale || output_type < 0 ||
      output_type > static_cast<std::int32_t>(OutputType::kAny) ||
      (!addressed && source.element_type() != ffi::U8) ||
      (width != kParams && width != kPartParams) ||
      static_cast<std::int64_t>(params.element_count()) != width * in->size() ||
      static_cast<std::int64_t>(status->element_count()) != 2 * in->size()) {
    return ffi::Error::InvalidArgument(
        "decode: want u8 bytes or addresses, s32[n, 1], s32[n, 3], s32[n, 5 or 7] -> pixels, "
        "s32[n, 2]");
  }
  const DecodeOptions options{.output_type = static_cast<OutputType>(output_type),
                              .adjust_orientation = adjust_orientation,
                              .scale = scale};
  ForEachSample(*out, 32, [&](std::int64_t i) {
    const Status result = DecodeSample((*in)[i], params.typed_data() + width * i,
                                       width == kPartParams, options, TargetOf((*out)[i], *type));
    out->ZeroPadding(i);
    status->typed_data()[2 * i] = static_cast<std::int32_t>(result.code());
    status->typed_data()[2 * i + 1] = result.detail();
  });
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeHandler, dynjax::DecodeBatch,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::AnyBuffer>()
                                  .Arg<xla::ffi::AnyBuffer>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Attr<std::int32_t>("output_type")
                                  .Attr<bool>("adjust_orientation")
                                  .Attr<std::int32_t>("scale")
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
