#include "decoders/jpeg_upsample_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

namespace dynjax {
namespace {

__m256i Load16(const std::uint8_t* from) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

__m256i Load16(const std::uint16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__m256i Triple(__m256i x) { return _mm256_add_epi16(_mm256_add_epi16(x, x), x); }

// (3 x + neighbour + bias) >> kShift on both sides, as neighbouring bytes. The biases differ, so
// that halves are not always rounded the same way.
template <int kLeftBias, int kRightBias, int kShift, typename T>
__m256i BothSides(const T* at) {
  const __m256i triple = Triple(Load16(at));
  const __m256i left =
      _mm256_add_epi16(_mm256_add_epi16(triple, Load16(at - 1)), _mm256_set1_epi16(kLeftBias));
  const __m256i right =
      _mm256_add_epi16(_mm256_add_epi16(triple, Load16(at + 1)), _mm256_set1_epi16(kRightBias));
  return _mm256_or_si256(_mm256_srli_epi16(left, kShift),
                         _mm256_slli_epi16(_mm256_srli_epi16(right, kShift), 8));
}

}  // namespace

void UpsampleAcross(const std::uint8_t* row, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; i += 16) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 2 * i), BothSides<1, 2, 2>(row + i));
  }
}

void UpsampleBoth(const std::uint8_t* near, const std::uint8_t* far, std::size_t count,
                  std::uint16_t* sums, std::uint8_t* out) {
  for (std::size_t i = 0; i < count + 2; i += 16) {
    const __m256i sum = _mm256_add_epi16(Triple(Load16(near + i - 1)), Load16(far + i - 1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + i), sum);
  }
  for (std::size_t i = 0; i < count; i += 16) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 2 * i), BothSides<8, 7, 4>(sums + 1 + i));
  }
}

}  // namespace dynjax

#endif
