// One row of a mosaic as luma, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "colour/debayer_rows.h"

namespace dynjax {
namespace {

// BT.601's weights of the first channel, green and the last, in 14 bits.
constexpr std::uint32_t kLuma[] = {4899, 9617, 1868};

// Weights, in 16 bits, of the element itself and of the sums of its neighbours. The sum of all
// products fits 32 bits for elements of 16.
struct GreyWeights {
  std::uint32_t own, across, down, corners;
};

// By the parity of the column.
template <typename T>
inline void WeighGrey(const MosaicRows<T>& rows, GreyWeights (&of)[2]) {
  const std::uint32_t near = kLuma[rows.has_first ? 0 : 2], far = kLuma[rows.has_first ? 2 : 0];
  of[rows.phase] = {4 * near, kLuma[1], kLuma[1], far};
  of[1 - rows.phase] = {4 * kLuma[1], 2 * near, 2 * far, 0};
}

#if defined(__AVX2__)

// Pixels from `x`, an odd column; returns the first that is left over.
inline std::int64_t GreyLanes(const MosaicRows<std::uint8_t>& rows, const GreyWeights (&of)[2],
                              std::int64_t x, std::int64_t end, std::uint8_t* out) {
  // Of 16 bits with a sign: the element is doubled, because its weight would not fit.
  const auto pair = [](std::uint32_t low, std::uint32_t high) {
    return static_cast<int>(low | high << 16);
  };
  const auto both = [](int odd, int even) {
    return _mm256_setr_epi32(odd, even, odd, even, odd, even, odd, even);
  };
  const __m256i middle =
      both(pair(of[1].own / 2, of[1].corners), pair(of[0].own / 2, of[0].corners));
  const __m256i beside = both(pair(of[1].across, of[1].down), pair(of[0].across, of[0].down));
  const __m256i half = _mm256_set1_epi32(1 << 15);
  const auto load = [](const std::uint8_t* from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  };
  for (; x + 16 <= end; x += 16) {
    const std::uint8_t *a = rows.above + x, *o = rows.own + x, *b = rows.below + x;
    const __m256i own = _mm256_slli_epi16(load(o), 1);
    const __m256i across = _mm256_add_epi16(load(o - 1), load(o + 1));
    const __m256i down = _mm256_add_epi16(load(a), load(b));
    const __m256i corners = _mm256_add_epi16(_mm256_add_epi16(load(a - 1), load(a + 1)),
                                             _mm256_add_epi16(load(b - 1), load(b + 1)));
    const auto grey = [&](__m256i own_corners, __m256i across_down) {
      const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(own_corners, middle),
                                           _mm256_madd_epi16(across_down, beside));
      return _mm256_srli_epi32(_mm256_add_epi32(sum, half), 16);
    };
    const __m256i words = _mm256_packus_epi32(
        grey(_mm256_unpacklo_epi16(own, corners), _mm256_unpacklo_epi16(across, down)),
        grey(_mm256_unpackhi_epi16(own, corners), _mm256_unpackhi_epi16(across, down)));
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(out + x),
        _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
  }
  return x;
}

inline std::int64_t GreyLanes(const MosaicRows<std::uint16_t>& rows, const GreyWeights (&of)[2],
                              std::int64_t x, std::int64_t end, std::uint16_t* out) {
  const auto both = [](std::uint32_t odd, std::uint32_t even) {
    const auto first = static_cast<int>(odd), second = static_cast<int>(even);
    return _mm256_setr_epi32(first, second, first, second, first, second, first, second);
  };
  const __m256i by_own = both(of[1].own, of[0].own), by_across = both(of[1].across, of[0].across);
  const __m256i by_down = both(of[1].down, of[0].down);
  const __m256i by_corners = both(of[1].corners, of[0].corners);
  const __m256i half = _mm256_set1_epi32(1 << 15);
  const auto load = [](const std::uint16_t* from) {
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  };
  for (; x + 8 <= end; x += 8) {
    const std::uint16_t *a = rows.above + x, *o = rows.own + x, *b = rows.below + x;
    const __m256i across = _mm256_add_epi32(load(o - 1), load(o + 1));
    const __m256i down = _mm256_add_epi32(load(a), load(b));
    const __m256i corners = _mm256_add_epi32(_mm256_add_epi32(load(a - 1), load(a + 1)),
                                             _mm256_add_epi32(load(b - 1), load(b + 1)));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(_mm256_mullo_epi32(load(o), by_own),
                                                          _mm256_mullo_epi32(across, by_across)),
                                         _mm256_add_epi32(_mm256_mullo_epi32(down, by_down),
                                                          _mm256_mullo_epi32(corners, by_corners)));
    const __m256i grey = _mm256_srli_epi32(_mm256_add_epi32(sum, half), 16);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(out + x),
        _mm_packus_epi32(_mm256_castsi256_si128(grey), _mm256_extracti128_si256(grey, 1)));
  }
  return x;
}

#endif

// Pixels [1, width - 1), one element each.
template <typename T>
void MosaicGreyRow(const MosaicRows<T>& rows, std::int64_t width, T* out) {
  GreyWeights of[2];
  WeighGrey(rows, of);
  std::int64_t x = 1;
#if defined(__AVX2__)
  x = GreyLanes(rows, of, x, width - 1, out);
#endif
  for (; x < width - 1; ++x) {
    const T *a = rows.above + x, *o = rows.own + x, *b = rows.below + x;
    const GreyWeights& w = of[x & 1];
    const auto two = [](std::uint32_t p, std::uint32_t q) { return p + q; };
    const std::uint32_t sum = *o * w.own + two(o[-1], o[1]) * w.across + two(a[0], b[0]) * w.down +
                              (two(a[-1], a[1]) + two(b[-1], b[1])) * w.corners;
    out[x] = static_cast<T>((sum + (1u << 15)) >> 16);
  }
}

}  // namespace
}  // namespace dynjax
