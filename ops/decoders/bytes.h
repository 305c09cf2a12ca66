// Big- and little-endian integers at positions that the caller has checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace dynjax {

using Bytes = std::span<const std::uint8_t>;

inline std::uint32_t BigEndian16(Bytes b, std::size_t at) {
  return static_cast<std::uint32_t>(b[at]) << 8 | b[at + 1];
}

inline std::uint32_t BigEndian32(Bytes b, std::size_t at) {
  return BigEndian16(b, at) << 16 | BigEndian16(b, at + 2);
}

inline std::uint32_t LittleEndian16(Bytes b, std::size_t at) {
  return static_cast<std::uint32_t>(b[at + 1]) << 8 | b[at];
}

inline std::uint32_t LittleEndian32(Bytes b, std::size_t at) {
  return LittleEndian16(b, at + 2) << 16 | LittleEndian16(b, at);
}

// False when `b` ends before the text does.
inline bool HasText(Bytes b, std::size_t at, std::string_view text) {
  return at <= b.size() && b.size() - at >= text.size() &&
         std::memcmp(b.data() + at, text.data(), text.size()) == 0;
}

}  // namespace dynjax
