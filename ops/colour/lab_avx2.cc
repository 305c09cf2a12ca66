#include "colour/lab_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "colour/lab_tables.h"

namespace dynjax {
namespace {

__m256i Whole(std::int32_t x) { return _mm256_set1_epi32(x); }

template <int kBits>
__m256i Descaled(__m256i x) {
  return _mm256_srai_epi32(_mm256_add_epi32(x, Whole(1 << (kBits - 1))), kBits);
}

__m256i Weighted(const std::int32_t* row, __m256i a, __m256i b, __m256i c) {
  return _mm256_add_epi32(
      _mm256_mullo_epi32(a, Whole(row[0])),
      _mm256_add_epi32(_mm256_mullo_epi32(b, Whole(row[1])), _mm256_mullo_epi32(c, Whole(row[2]))));
}

__m256i Bytes8(const std::uint8_t* in) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(in)));
}

// Clamped to bytes.
void Store8(__m256i x, std::uint8_t* out) {
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
}

// Channel `c` of eight pixels: `low` begins with the first four of them, `high` ends with the rest.
__m256i Channel(__m128i low, __m128i high, int c) {
  const auto at = [c](int k) { return static_cast<int>(0x80808000u) | (c + k); };
  return _mm256_set_m128i(_mm_shuffle_epi8(high, _mm_setr_epi32(at(4), at(7), at(10), at(13))),
                          _mm_shuffle_epi8(low, _mm_setr_epi32(at(0), at(3), at(6), at(9))));
}

// As in lab.cc. Quotients are so small that float division never rounds up to a whole number.
__m256i Cubed(__m256i f) {
  const __m256 product = _mm256_cvtepi32_ps(_mm256_mullo_epi32(f, Whole(108)));
  const __m256i linear =
      _mm256_sub_epi32(_mm256_cvttps_epi32(_mm256_div_ps(product, _mm256_set1_ps(841.0f))),
                       Whole(kLabCube * 16 / 116 * 108 / 841));
  const __m256i square = _mm256_srli_epi32(_mm256_mullo_epi32(f, f), 14);
  const __m256i cube = _mm256_srli_epi32(_mm256_mullo_epi32(square, f), 14);
  return _mm256_blendv_epi8(linear, cube, _mm256_cmpgt_epi32(f, Whole(3390)));
}

}  // namespace

std::int64_t Avx2RgbToLab(const std::uint8_t* rgb, std::int64_t n, const LabRow& lab) {
  const LabTables& t = SharedLabTables();
  constexpr std::int32_t kFoot = -((16 * 255 * kLabRoot + 50) / 100);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const auto* pixels = reinterpret_cast<const __m128i*>(rgb + 3 * i);
    const __m128i low = _mm_loadu_si128(pixels);
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rgb + 3 * i + 8));
    __m256i light[3], f[3];
    for (int c = 0; c < 3; ++c) {
      light[c] = _mm256_i32gather_epi32(t.light.data(), Channel(low, high, c), 4);
    }
    for (int k = 0; k < 3; ++k) {
      const __m256i x = Descaled<12>(Weighted(t.to[k], light[0], light[1], light[2]));
      f[k] = _mm256_i32gather_epi32(t.root.data(), x, 4);
    }
    const auto scaled = [](__m256i x, std::int32_t factor, std::int32_t offset) {
      return Descaled<15>(_mm256_add_epi32(_mm256_mullo_epi32(x, Whole(factor)), Whole(offset)));
    };
    Store8(scaled(f[1], (116 * 255 + 50) / 100, kFoot), lab.lightness + i);
    Store8(scaled(_mm256_sub_epi32(f[0], f[1]), 500, 128 * kLabRoot), lab.a + i);
    Store8(scaled(_mm256_sub_epi32(f[1], f[2]), 200, 128 * kLabRoot), lab.b + i);
  }
  return i;
}

std::int64_t Avx2LabToRgb(const LabRow& lab, std::int64_t n, std::uint8_t* rgb) {
  const LabTables& t = SharedLabTables();
  const __m256i dense = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  std::int64_t i = 0;
  // The second store ends four bytes behind the eight pixels: two more must follow.
  for (; i + 10 <= n; i += 8) {
    const __m256i both = _mm256_i32gather_epi32(t.f_and_y.data(), Bytes8(lab.lightness + i), 4);
    const __m256i f = _mm256_and_si256(both, Whole(0xffff)), y = _mm256_srai_epi32(both, 16);
    const __m256i a = _mm256_srai_epi32(
        _mm256_add_epi32(_mm256_mullo_epi32(Bytes8(lab.a + i), Whole(5 * 53687)), Whole(128)), 13);
    const __m256i b = _mm256_srai_epi32(
        _mm256_add_epi32(_mm256_mullo_epi32(Bytes8(lab.b + i), Whole(41943)), Whole(16)), 9);
    const __m256i x = Cubed(_mm256_add_epi32(f, _mm256_sub_epi32(a, Whole(128 * kLabCube / 500))));
    const __m256i z =
        Cubed(_mm256_sub_epi32(f, _mm256_sub_epi32(b, Whole(128 * kLabCube / 200 - 1))));
    __m256i pixels = _mm256_setzero_si256();
    for (int k = 0; k < 3; ++k) {
      const __m256i light = Descaled<14>(Weighted(t.from[k], x, y, z));
      const __m256i inside =
          _mm256_min_epi32(_mm256_max_epi32(light, _mm256_setzero_si256()), Whole(kLabMatrix - 1));
      const __m256i byte = _mm256_and_si256(
          _mm256_i32gather_epi32(reinterpret_cast<const int*>(t.byte.data()), inside, 1),
          Whole(255));
      pixels = _mm256_or_si256(pixels, _mm256_sll_epi32(byte, _mm_cvtsi32_si128(8 * k)));
    }
    const __m256i packed = _mm256_shuffle_epi8(pixels, dense);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rgb + 3 * i), _mm256_castsi256_si128(packed));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rgb + 3 * i + 12),
                     _mm256_extracti128_si256(packed, 1));
  }
  return i;
}

}  // namespace dynjax

#endif  // __AVX2__
