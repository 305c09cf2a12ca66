// Dequantisation and inverse cosine transform of pairs of JPEG blocks.
//
// The arithmetic is that of libjpeg's "slow integer" transform (Loeffler, Ligtenberg, Moschytz in
// 13-bit fixed point) and of its reduced forms: the samples are the same to the bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dynjax {

// Two blocks: row r of the first at 16 * r, of the second 8 behind it.
struct alignas(32) BlockPair {
  std::array<std::int16_t, 128> values;
};

// The place in the first of a pair for one of a block, row by row.
constexpr std::uint8_t PairPlace(std::uint8_t place) {
  return static_cast<std::uint8_t>(2 * (place & 56) + (place & 7));
}

// Their quantisers, in the same places, and four times those. The largest quantiser is
// below 16384.
struct alignas(32) QuantPair {
  std::array<std::uint16_t, 128> values;
  std::array<std::uint16_t, 128> times4;

  // Quantisers of either block, row by row.
  void Set(const std::array<std::uint16_t, 64>& first, const std::array<std::uint16_t, 64>& second);
};

// Coefficients so large that 16-bit arithmetic wraps: each library that decodes them has a result
// of its own. Not zero once there were any.
struct alignas(32) Excess {
  std::array<std::uint16_t, 16> bits{};
  bool Any() const;
};

// Where the samples of a pair go.
struct BlockPlaces {
  std::uint8_t* first;
  std::uint8_t* second;
  std::ptrdiff_t stride;
};

// Writes `size` x `size` samples for each block; `size` is 8, 4, 2 or 1. `last` is the last place
// in zigzag order that is not zero in one of them.
void TransformPair(int size, const BlockPair& blocks, const QuantPair& quant, int last,
                   const BlockPlaces& to, Excess* excess);

}  // namespace dynjax
