#include "decoders/tiff_directory.h"

#include <limits>
#include <string_view>

namespace dynjax {
namespace {

using namespace std::string_view_literals;

// Samples of a pixel are the only numbers that come in greater number.
constexpr std::uint64_t kMostNumbers = 16;

// Bytes of a number of a type; 0 for types that hold no unsigned integers.
std::size_t NumberBytes(std::uint64_t type) {
  switch (type) {
    case 1:
      return 1;
    case 3:
      return 2;
    case 4:
      return 4;
    case 16:
      return 8;
    default:
      return 0;
  }
}

}  // namespace

std::uint64_t TiffDirectory::Load(std::uint64_t at, std::size_t bytes) const {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes; ++k) {
    value = value << 8 | file_[at + (is_little_ ? bytes - 1 - k : k)];
  }
  return value;
}

std::optional<TiffDirectory> TiffDirectory::First(Bytes file) {
  const bool is_little = HasText(file, 0, "II"sv);
  const bool is_big = HasText(file, 2, is_little ? "+\0"sv : "\0+"sv);
  if (file.size() < 16) return std::nullopt;
  TiffDirectory directory(file, is_little, is_big);
  const std::uint64_t at = directory.Load(is_big ? 8 : 4, directory.word());
  const std::size_t count_bytes = is_big ? 8 : 2;
  if (!directory.Contains(at, count_bytes)) return std::nullopt;
  directory.entries_ = at + count_bytes;
  directory.count_ = directory.Load(at, count_bytes);
  const std::size_t entry_bytes = is_big ? 20 : 12;
  if (directory.count_ > std::numeric_limits<std::uint16_t>::max() ||
      !directory.Contains(directory.entries_, directory.count_ * entry_bytes)) {
    return std::nullopt;
  }
  return directory;
}

std::optional<TiffDirectory::Field> TiffDirectory::FieldAt(std::uint64_t entry) const {
  Field field{.count = Load(entry + 4, word()), .at = entry + 4 + word(), .item = 0};
  field.item = NumberBytes(Load(entry + 2, 2));
  if (field.item == 0 || field.count < 1 || field.count > kMostNumbers) return std::nullopt;
  if (field.count * field.item > word()) field.at = Load(field.at, word());
  if (!Contains(field.at, field.count * field.item)) return std::nullopt;
  return field;
}

std::optional<std::int32_t> TiffDirectory::Number(std::uint32_t tag, std::int32_t missing) const {
  const std::size_t entry_bytes = is_big_ ? 20 : 12;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const std::uint64_t entry = entries_ + i * entry_bytes;
    if (Load(entry, 2) != tag) continue;
    const auto field = FieldAt(entry);
    if (!field) return std::nullopt;
    const std::uint64_t first = Load(field->at, field->item);
    for (std::uint64_t k = 1; k < field->count; ++k) {
      if (Load(field->at + k * field->item, field->item) != first) return std::nullopt;
    }
    if (first > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return static_cast<std::int32_t>(first);
  }
  return missing;
}

}  // namespace dynjax
