// One row of a mosaic, interpolated by a variable number of gradients, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
//
// After Chang, Cheung, Pang, "Color filter array recovery using a threshold-based variable number
// of gradients" (1999): each of eight directions has a gradient, and what the directions of small
// gradient say of the difference between two colours is averaged. Sums and gradients are doubled,
// so that all but the average are whole numbers.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "colour/debayer_rows.h"
#include "colour/mosaic_gradients.h"

namespace dynjax {
namespace {

#if defined(__AVX2__)
constexpr int kGradientLanes = 16;
#else
constexpr int kGradientLanes = 8;
#endif
static_assert(kGradientLanes <= kGradientSlack);
using GradientLanes = std::int16_t __attribute__((vector_size(2 * kGradientLanes)));

inline GradientLanes Apart(GradientLanes a, GradientLanes b) { return a > b ? a - b : b - a; }

// What lies about kGradientLanes elements of every second column.
struct Around {
  const std::int16_t* own[5];   // rows -2 to 2, own column
  const std::int16_t* side[5];  // the column to the left; that to the right is one further

  GradientLanes operator()(int dy, int dx) const {
    const std::int16_t* from = dx % 2 == 0 ? own[dy + 2] + dx / 2 : side[dy + 2] + (dx + 1) / 2;
    GradientLanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
  }
};

// 1 / (2 n), by which a doubled sum over n directions becomes a mean.
constexpr float kShare[] = {0,         1.0f / 2,  1.0f / 4,  1.0f / 6, 1.0f / 8,
                            1.0f / 10, 1.0f / 12, 1.0f / 14, 1.0f / 16};

// sum / (2 count), rounded to nearest, halves to even. count: 1 to 8.
inline GradientLanes Mean(GradientLanes sum, GradientLanes count) {
#if defined(__AVX2__)
  const __m256 shares = _mm256_loadu_ps(kShare + 1);
  const auto half = [&](__m128i s, __m128i n) {
    const __m256i which = _mm256_sub_epi32(_mm256_cvtepi16_epi32(n), _mm256_set1_epi32(1));
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(s)),
                                            _mm256_permutevar8x32_ps(shares, which)));
  };
  const auto s = reinterpret_cast<__m256i>(sum), n = reinterpret_cast<__m256i>(count);
  const __m256i low = half(_mm256_castsi256_si128(s), _mm256_castsi256_si128(n));
  const __m256i high = half(_mm256_extracti128_si256(s, 1), _mm256_extracti128_si256(n, 1));
  return reinterpret_cast<GradientLanes>(
      _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8));
#else
  GradientLanes mean;
  for (int k = 0; k < kGradientLanes; ++k) {
    mean[k] = static_cast<std::int16_t>(std::lrintf(sum[k] * kShare[count[k]]));
  }
  return mean;
#endif
}

inline GradientLanes Clamped(GradientLanes x) {
  const GradientLanes zero{}, full = zero + std::int16_t{255};
  x = x < zero ? zero : x;
  return x > full ? full : x;
}

// What the elements of a direction say, doubled: of the centre's own colour and of two others.
struct Direction {
  GradientLanes gradient, own, first, second;
};

// The colours that a pixel lacks, from its eight directions.
inline void Combine(const Direction (&directions)[8], GradientLanes centre, GradientLanes& first,
                    GradientLanes& second) {
  GradientLanes least = directions[0].gradient, most = least;
  for (const Direction& d : directions) {
    least = d.gradient < least ? d.gradient : least;
    most = d.gradient > most ? d.gradient : most;
  }
  // 1.5 min + 0.5 (max - min) of the paper; more than the least, so that one is always below.
  const GradientLanes one = GradientLanes{} + std::int16_t{1};
  most >>= 1;
  const GradientLanes threshold = least + (most > one ? most : one);
  GradientLanes count{}, sum_first{}, sum_second{};
  for (const Direction& d : directions) {
    const GradientLanes is_smooth = d.gradient < threshold;
    count -= is_smooth;
    sum_first += (d.first - d.own) & is_smooth;
    sum_second += (d.second - d.own) & is_smooth;
  }
  first = Clamped(centre + Mean(sum_first, count));
  second = Clamped(centre + Mean(sum_second, count));
}

// Along rows or columns; (y, x) is the step, (v, u) the one square to it. On green, `first` is the
// colour of the row and `second` that of the column; else green, and the colour of the corners.
template <bool kGreen>
inline Direction Straight(const Around& at, int y, int x) {
  const int v = x, u = y;
  const GradientLanes centre = at(0, 0), far = at(2 * y, 2 * x);
  const GradientLanes far_sides[] = {at(2 * y + v, 2 * x + u), at(2 * y - v, 2 * x - u)};
  Direction d;
  d.gradient = Apart(at(y, x), at(-y, -x)) + Apart(far, centre);
  d.gradient += d.gradient;
  d.gradient += Apart(at(y + v, x + u), at(v - y, u - x)) +
                Apart(at(y - v, x - u), at(-y - v, -x - u)) + Apart(far_sides[0], at(v, u)) +
                Apart(far_sides[1], at(-v, -u));
  d.own = far + centre;
  const GradientLanes near = at(y, x) + at(y, x);
  if constexpr (kGreen) {
    const GradientLanes beside = far_sides[0] + far_sides[1];
    d.first = x != 0 ? near : beside;
    d.second = x != 0 ? beside : near;
  } else {
    d.first = near;
    d.second = at(y + v, x + u) + at(y - v, x - u);
  }
  return d;
}

// Towards a corner, as Straight.
template <bool kGreen>
inline Direction Slanted(const Around& at, int y, int x) {
  const GradientLanes centre = at(0, 0), corner = at(y, x), far = at(2 * y, 2 * x);
  const GradientLanes down = at(y, 0), across = at(0, x), down_far = at(y, 2 * x),
                      across_far = at(2 * y, x);
  Direction d;
  d.gradient = Apart(corner, at(-y, -x)) + Apart(far, centre);
  if constexpr (kGreen) {
    d.gradient += Apart(across_far, at(0, -x)) + Apart(down_far, at(-y, 0));
    d.gradient += d.gradient;
    d.own = corner + corner;
    d.first = across + across_far;
    d.second = down + down_far;
  } else {
    d.gradient += d.gradient;
    d.gradient += Apart(down, at(0, -x)) + Apart(across, at(-y, 0)) + Apart(across_far, down) +
                  Apart(down_far, across);
    d.own = far + centre;
    d.first = (down + across + down_far + across_far) >> 1;
    d.second = corner + corner;
  }
  return d;
}

template <bool kGreen>
inline void Recover(const Around& at, GradientLanes& first, GradientLanes& second) {
  const Direction directions[] = {Straight<kGreen>(at, -1, 0), Straight<kGreen>(at, 0, 1),
                                  Straight<kGreen>(at, 1, 0),  Straight<kGreen>(at, 0, -1),
                                  Slanted<kGreen>(at, -1, 1),  Slanted<kGreen>(at, 1, 1),
                                  Slanted<kGreen>(at, 1, -1),  Slanted<kGreen>(at, -1, -1)};
  Combine(directions, at(0, 0), first, second);
}

// Pixels whose channels are held as bytes of even columns and, above them, of odd ones.
inline void StoreGradients(const GradientLanes (&channels)[3], std::int64_t pixels,
                           std::uint8_t* out) {
  alignas(32) std::uint8_t bytes[3][2 * kGradientLanes], held[6 * kGradientLanes];
  std::memcpy(bytes, channels, sizeof(bytes));
  const bool is_whole = pixels >= 2 * kGradientLanes;
  std::uint8_t* to = is_whole ? out : held;
#if defined(__AVX2__)
  const auto load = [](const std::uint8_t* from) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(from));
  };
  for (int k = 0; k < 2 * kGradientLanes; k += 16) {
    Interleave16(load(bytes[0] + k), load(bytes[1] + k), load(bytes[2] + k), to + 3 * k);
  }
#else
  for (int k = 0; k < 2 * kGradientLanes; ++k) {
    for (int c = 0; c < 3; ++c) to[3 * k + c] = bytes[c][k];
  }
#endif
  if (!is_whole) std::memcpy(out, held, static_cast<std::size_t>(3 * pixels));
}

inline void MosaicGradientsRow(const GradientRows& rows, std::int64_t width, std::uint8_t* out) {
  const int near = rows.has_first ? 0 : 2;
  for (std::int64_t x = 0; x < width; x += 2 * kGradientLanes) {
    GradientLanes channels[2][3];
    for (int parity = 0; parity < 2; ++parity) {
      // Planes begin with the column two to the left.
      Around at;
      for (int k = 0; k < 5; ++k) {
        at.own[k] = rows.planes[k][parity] + x / 2 + 1;
        at.side[k] = rows.planes[k][1 - parity] + x / 2 + parity;
      }
      auto& own = channels[parity];
      if (parity == rows.phase) {
        own[near] = at(0, 0);
        Recover<false>(at, own[1], own[2 - near]);
      } else {
        own[1] = at(0, 0);
        Recover<true>(at, own[near], own[2 - near]);
      }
    }
    GradientLanes joined[3];
    for (int c = 0; c < 3; ++c) joined[c] = channels[0][c] | (channels[1][c] << 8);
    StoreGradients(joined, width - x, out + 3 * x);
  }
}

}  // namespace
}  // namespace dynjax
