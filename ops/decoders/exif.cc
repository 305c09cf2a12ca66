#include "decoders/exif.h"

namespace dynjax {
namespace {

constexpr std::uint32_t kOrientation = 0x0112;
constexpr std::size_t kEntryBytes = 12;

// The original gives up on the whole block, and with it on the orientation, when one of the tags
// that it reads points outside; tags that it does not know may point anywhere.
bool IsRead(std::uint32_t tag) { return (tag >= 0x010e && tag <= 0x0214) || tag == 0x8298; }

std::uint64_t ValueBytes(std::uint32_t type, std::uint32_t count) {
  constexpr std::uint8_t kTypeBytes[] = {1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8};
  return std::uint64_t{count} * (type < sizeof(kTypeBytes) ? kTypeBytes[type] : 1);
}

}  // namespace

int ExifOrientation(Bytes tiff) {
  if (tiff.size() < 8) return 1;
  const bool little = HasText(tiff, 0, "II");
  if (!little && !HasText(tiff, 0, "MM")) return 1;
  const auto u16 = [&](std::size_t at) {
    return little ? LittleEndian16(tiff, at) : BigEndian16(tiff, at);
  };
  const auto u32 = [&](std::size_t at) {
    return little ? LittleEndian32(tiff, at) : BigEndian32(tiff, at);
  };
  const std::uint64_t directory = u32(4);
  if (u16(2) != 42 || directory + 2 > tiff.size()) return 1;

  int orientation = 0;  // of the first such tag; later ones do not count
  const std::uint32_t entries = u16(directory);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + i * kEntryBytes;
    if (entry + 2 > tiff.size()) return 1;
    const std::uint32_t tag = u16(entry);
    if (!IsRead(tag)) continue;
    // An orientation is read as 16 bits whatever its type and count say.
    if (entry + (tag == kOrientation ? 10 : kEntryBytes) > tiff.size()) return 1;
    if (tag == kOrientation) {
      if (orientation == 0) orientation = static_cast<int>(u16(entry + 8));
      continue;
    }
    const std::uint64_t bytes = ValueBytes(u16(entry + 2), u32(entry + 4));
    if (bytes > 4 && u32(entry + 8) + bytes > tiff.size()) return 1;
  }
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

}  // namespace dynjax
