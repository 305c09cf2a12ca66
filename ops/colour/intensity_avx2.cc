#include "colour/intensity_avx2.h"

#if defined(__AVX2__)

#include "base/load_avx2.h"

namespace dynjax {
namespace {

__m256i Scaled8(const std::uint8_t* in, __m256 gain, __m256 offset) {
  const __m256 value = _mm256_fmadd_ps(Load8(in), gain, offset);
  // `max` turns NaN into its second operand.
  const __m256 inside =
      _mm256_min_ps(_mm256_max_ps(value, _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
  return _mm256_cvttps_epi32(_mm256_add_ps(inside, _mm256_set1_ps(kBelowHalf)));
}

}  // namespace

void Avx2ScaleBytes(const std::uint8_t* in, std::int64_t n, float gain, float offset,
                    std::uint8_t* out) {
  const __m256 gains = _mm256_set1_ps(gain), offsets = _mm256_set1_ps(offset);
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  std::int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i low =
        _mm256_packus_epi32(Scaled8(in + i, gains, offsets), Scaled8(in + i + 8, gains, offsets));
    const __m256i high = _mm256_packus_epi32(Scaled8(in + i + 16, gains, offsets),
                                             Scaled8(in + i + 24, gains, offsets));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
  }
  for (; i < n; ++i) {
    out[i] = FromFloat<std::uint8_t>(__builtin_fmaf(static_cast<float>(in[i]), gain, offset));
  }
}

void Avx2ScaleFloats(float* x, std::int64_t n, float gain, float offset) {
  const __m256 gains = _mm256_set1_ps(gain), offsets = _mm256_set1_ps(offset);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(x + i, _mm256_fmadd_ps(_mm256_loadu_ps(x + i), gains, offsets));
  }
  for (; i < n; ++i) x[i] = __builtin_fmaf(x[i], gain, offset);
}

}  // namespace dynjax

#endif  // __AVX2__
