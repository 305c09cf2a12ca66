// One row of a mosaic, interpolated bilinearly or along edges, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace dynjax {
namespace {

// The three rows about the output row, and where its elements of own colour lie.
template <typename T>
struct MosaicRows {
  const T* above;
  const T* own;
  const T* below;
  bool has_first;      // the row holds elements of the first channel; else of the last
  std::int32_t phase;  // the parity of the columns of those elements
};

// kEdges: green is the mean along the direction in which it changes less, across if there is none.
template <bool kEdges, typename T>
inline void MosaicPixel(const MosaicRows<T>& rows, std::int64_t x, T* pixel) {
  const auto mean2 = [](int a, int b) { return static_cast<T>((a + b + 1) >> 1); };
  const auto mean4 = [](int a, int b, int c, int d) {
    return static_cast<T>((a + b + c + d + 2) >> 2);
  };
  const T* a = rows.above + x;
  const T* o = rows.own + x;
  const T* b = rows.below + x;
  const int near = rows.has_first ? 0 : 2;  // the channel that the row holds, beside green
  if ((x & 1) == rows.phase) {
    pixel[near] = *o;
    if constexpr (kEdges) {
      const bool is_down = std::abs(o[-1] - o[1]) > std::abs(a[0] - b[0]);
      pixel[1] = is_down ? mean2(a[0], b[0]) : mean2(o[-1], o[1]);
    } else {
      pixel[1] = mean4(a[0], b[0], o[-1], o[1]);
    }
    pixel[2 - near] = mean4(a[-1], a[1], b[-1], b[1]);
  } else {
    pixel[near] = mean2(o[-1], o[1]);
    pixel[1] = *o;
    pixel[2 - near] = mean2(a[0], b[0]);
  }
}

#if defined(__AVX2__)

// (a + b + c + d + 2) >> 2 of bytes.
inline __m128i Mean4(__m128i a, __m128i b, __m128i c, __m128i d) {
  const __m256i sum =
      _mm256_add_epi16(_mm256_add_epi16(_mm256_cvtepu8_epi16(a), _mm256_cvtepu8_epi16(b)),
                       _mm256_add_epi16(_mm256_cvtepu8_epi16(c), _mm256_cvtepu8_epi16(d)));
  const __m256i mean = _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(2)), 2);
  return _mm_packus_epi16(_mm256_castsi256_si128(mean), _mm256_extracti128_si256(mean, 1));
}

// Sixteen bytes of each channel, interleaved.
inline void Interleave16(__m128i r, __m128i g, __m128i b, std::uint8_t* out) {
  const __m128i kR[3] = {
      _mm_setr_epi8(0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5),
      _mm_setr_epi8(-1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1),
      _mm_setr_epi8(-1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1, -1)};
  const __m128i kG[3] = {
      _mm_setr_epi8(-1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1),
      _mm_setr_epi8(5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10),
      _mm_setr_epi8(-1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1)};
  const __m128i kB[3] = {
      _mm_setr_epi8(-1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1),
      _mm_setr_epi8(-1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1),
      _mm_setr_epi8(10, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15)};
  for (int k = 0; k < 3; ++k) {
    const __m128i bytes =
        _mm_or_si128(_mm_shuffle_epi8(r, kR[k]),
                     _mm_or_si128(_mm_shuffle_epi8(g, kG[k]), _mm_shuffle_epi8(b, kB[k])));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16 * k), bytes);
  }
}

// The mean of up and down where left and right differ more, else that of left and right.
inline __m128i AlongEdge(__m128i up, __m128i down, __m128i left, __m128i right) {
  const auto apart = [](__m128i a, __m128i b) {
    return _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a));
  };
  const __m128i is_across =
      _mm_cmpeq_epi8(_mm_subs_epu8(apart(left, right), apart(up, down)), _mm_setzero_si128());
  return _mm_blendv_epi8(_mm_avg_epu8(up, down), _mm_avg_epu8(left, right), is_across);
}

// Pixels [begin, end); returns the first that is left over.
template <bool kEdges>
inline std::int64_t MosaicBytes(const MosaicRows<std::uint8_t>& rows, std::int64_t begin,
                                std::int64_t end, std::uint8_t* out) {
  const auto load = [](const std::uint8_t* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  };
  std::int64_t x = begin;
  // Bytes whose sign bit is set are taken from the second operand.
  const bool first_is_own = (begin & 1) == rows.phase;
  const __m128i is_own = _mm_set1_epi16(static_cast<short>(first_is_own ? 0x0080 : 0x8000));
  for (; x + 16 <= end; x += 16) {
    const std::uint8_t *a = rows.above + x, *o = rows.own + x, *b = rows.below + x;
    const __m128i own = load(o), left = load(o - 1), right = load(o + 1);
    const __m128i up = load(a), down = load(b);
    const __m128i near = _mm_blendv_epi8(_mm_avg_epu8(left, right), own, is_own);
    const __m128i between =
        kEdges ? AlongEdge(up, down, left, right) : Mean4(up, down, left, right);
    const __m128i green = _mm_blendv_epi8(own, between, is_own);
    const __m128i far = _mm_blendv_epi8(
        _mm_avg_epu8(up, down), Mean4(load(a - 1), load(a + 1), load(b - 1), load(b + 1)), is_own);
    Interleave16(rows.has_first ? near : far, green, rows.has_first ? far : near, out + 3 * x);
  }
  return x;
}

#endif

// Pixels [1, width - 1).
template <bool kEdges, typename T>
void MosaicRow(const MosaicRows<T>& rows, std::int64_t width, T* out) {
  std::int64_t x = 1;
#if defined(__AVX2__)
  if constexpr (std::is_same_v<T, std::uint8_t>) x = MosaicBytes<kEdges>(rows, x, width - 1, out);
#endif
  for (; x < width - 1; ++x) MosaicPixel<kEdges>(rows, x, out + 3 * x);
}

}  // namespace
}  // namespace dynjax
