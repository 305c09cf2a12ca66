#include "colour/color_matrix_avx2.h"

#if defined(__AVX2__)

#include "base/load_avx2.h"

namespace dynjax {
namespace {

// Bytes c and c + 4 of the halves, and every third behind them, into the lowest bytes of elements.
__m256i Picks(int c) {
  const auto at = [&](int first, int k) {
    return static_cast<int>(0x80808000u | static_cast<unsigned>(first + 3 * k));
  };
  return _mm256_setr_epi32(at(c, 0), at(c, 1), at(c, 2), at(c, 3), at(c + 4, 0), at(c + 4, 1),
                           at(c + 4, 2), at(c + 4, 3));
}

// Eight pixels are 24 bytes: the first four are bytes 0-11 of a load at 0, the others bytes 4-15
// of a load at 8.
void LoadPixels8(const std::uint8_t* in, const __m256i* picks, __m256* channels) {
  const __m256i both = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 8)), 1);
  for (int c = 0; c < 3; ++c) {
    channels[c] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(both, picks[c]));
  }
}

__m256 Sum8(const __m256* in, const float* row) {
  __m256 sum = _mm256_broadcast_ss(row + 3);
  for (int c = 0; c < 3; ++c) sum = _mm256_fmadd_ps(in[c], _mm256_broadcast_ss(row + c), sum);
  return sum;
}

__m256i Byte8(const __m256* in, const float* row) {
  const __m256 inside =
      _mm256_min_ps(_mm256_max_ps(Sum8(in, row), _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
  return _mm256_cvttps_epi32(_mm256_add_ps(inside, _mm256_set1_ps(kBelowHalf)));
}

std::int64_t ToThree(const std::uint8_t* in, std::int64_t n, const float* rows,
                     const __m256i* picks, std::uint8_t* out) {
  // Four dwords of three bytes each become twelve bytes.
  const __m256i compact = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  std::int64_t i = 0;
  // The second store writes four bytes too many, which must lie inside the run.
  for (; i + 10 <= n; i += 8) {
    __m256 channels[3];
    LoadPixels8(in + 3 * i, picks, channels);
    const __m256i r = Byte8(channels, rows), g = Byte8(channels, rows + 4),
                  b = Byte8(channels, rows + 8);
    const __m256i pixels =
        _mm256_or_si256(r, _mm256_or_si256(_mm256_slli_epi32(g, 8), _mm256_slli_epi32(b, 16)));
    const __m256i bytes = _mm256_shuffle_epi8(pixels, compact);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 3 * i), _mm256_castsi256_si128(bytes));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 3 * i + 12),
                     _mm256_extracti128_si256(bytes, 1));
  }
  return i;
}

std::int64_t ToOne(const std::uint8_t* in, std::int64_t n, const float* rows, const __m256i* picks,
                   std::uint8_t* out) {
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  std::int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i parts[4];
    for (int k = 0; k < 4; ++k) {
      __m256 channels[3];
      LoadPixels8(in + 3 * (i + 8 * k), picks, channels);
      // A NaN passes and becomes the smallest integer; packing takes what is negative to 0.
      const __m256 inside = _mm256_min_ps(_mm256_set1_ps(255.0f), Sum8(channels, rows));
      parts[k] = _mm256_cvttps_epi32(_mm256_add_ps(inside, _mm256_set1_ps(kBelowHalf)));
    }
    const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(parts[0], parts[1]),
                                              _mm256_packs_epi32(parts[2], parts[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_permutevar8x32_epi32(bytes, order));
  }
  return i;
}

}  // namespace

std::int64_t Avx2MatrixOfBytes(const std::uint8_t* in, std::int64_t n, const float* rows,
                               int outputs, std::uint8_t* out) {
  const __m256i picks[3] = {Picks(0), Picks(1), Picks(2)};
  return outputs == 1 ? ToOne(in, n, rows, picks, out) : ToThree(in, n, rows, picks, out);
}

std::int64_t Avx2ReorderBytes(const std::uint8_t* in, std::int64_t n, const int* order,
                              std::uint8_t* out) {
  // Five pixels in each half, which leaves a byte of it unused.
  alignas(16) std::int8_t picks[16];
  for (int k = 0; k < 5; ++k) {
    for (int c = 0; c < 3; ++c) picks[3 * k + c] = static_cast<std::int8_t>(3 * k + order[c]);
  }
  picks[15] = -1;
  const __m128i pick = _mm_load_si128(reinterpret_cast<const __m128i*>(picks));
  std::int64_t i = 0;
  // The last byte of each store belongs to the next pixel, which must lie inside the run.
  for (; i + 21 <= n; i += 20) {
    for (int k = 0; k < 60; k += 15) {
      const __m128i pixels = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 3 * i + k));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 3 * i + k), _mm_shuffle_epi8(pixels, pick));
    }
  }
  return i;
}

}  // namespace dynjax

#endif  // __AVX2__
