#include "decoders/decode_stage.h"

#include <optional>

#include "decoders/decode.h"

namespace dynjax {
namespace {

// Of a whole picture, and of a part.
constexpr std::size_t kColumns = 5, kPartColumns = 7;

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

}  // namespace

DecodeStage::DecodeStage(const DecodeParameters& parameters, std::int64_t count)
    : p_(parameters),
      count_(static_cast<std::size_t>(count)),
      columns_(count_ > 0 ? p_.table.size() / count_ : kColumns) {}

const char* DecodeStage::Fault() const {
  if (p_.scale < 1 || p_.scale > kFullScale || p_.output_type < 0 ||
      p_.output_type > static_cast<std::int32_t>(OutputType::kAny) ||
      (columns_ != kColumns && columns_ != kPartColumns) || p_.table.size() != columns_ * count_) {
    return "want parameters s32[n, 5 or 7] and a known output type and scale";
  }
  return nullptr;
}

bool DecodeStage::IsSound(std::int64_t /*i*/, Extent from, Extent to) const {
  return from.size() == 1 && to.size() == 3;
}

Status DecodeStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  const std::int32_t* row = p_.table.data() + static_cast<std::size_t>(i) * columns_;
  const Bytes bytes{from.as<const std::uint8_t>(), static_cast<std::size_t>(from.extent[0])};
  const auto kind = static_cast<SourceKind>(row[0]);
  std::optional<PartOrigin> part;
  if (columns_ == kPartColumns) part = {row[kColumns], row[kColumns + 1]};
  const DecodeOptions options{.output_type = static_cast<OutputType>(p_.output_type),
                              .adjust_orientation = p_.adjust_orientation,
                              .scale = p_.scale};
  const ImageTarget target = TargetOf(to, p_.target);
  if (kind == SourceKind::kEncoded) return DecodeImage(bytes, options, part, target);
  const RawShape shape{row[1], row[2], row[3], row[4]};
  return ConvertImage(bytes, kind, shape, options, part, target);
}

}  // namespace dynjax
