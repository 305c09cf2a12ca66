// What both targets of `lab.cc` look up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dynjax {

inline constexpr std::int32_t kLabMatrix = 1 << 12;  // of the matrices
inline constexpr std::int32_t kLabLinear = 255 << 3;
inline constexpr std::int32_t kLabRoot = 1 << 15;
inline constexpr std::int32_t kLabCube = 1 << 14;

struct LabTables {
  LabTables();

  std::array<std::int32_t, 256> light;      // linear light of a byte
  std::array<std::int32_t, 256 * 12> root;  // f of linear light
  std::array<std::int32_t, 256> f_and_y;    // of a lightness; y in the upper half
  // Of linear light; with room for reading four bytes at any of them.
  std::array<std::uint8_t, kLabMatrix + 3> byte;
  std::int32_t to[3][3], from[3][3];
};

const LabTables& SharedLabTables();

}  // namespace dynjax
