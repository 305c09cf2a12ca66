// The element types of arrays, all that the library has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dynjax {

enum class Element { kBool, kU8, kI8, kU16, kI16, kU32, kI32, kU64, kI64, kF16, kBF16, kF32, kF64 };
inline constexpr std::size_t kElements = 13;

constexpr std::size_t Bytes(Element type) {
  constexpr std::array<std::size_t, kElements> kBytes{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

}  // namespace dynjax
