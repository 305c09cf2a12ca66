// Eight elements of any type as floats, for the translation units compiled for AVX2 and F16C.
// Internal linkage for the reason given in scalar_convert.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/scalar_convert.h"

namespace dynjax {

static inline __m256 Load8(const float* p) { return _mm256_loadu_ps(p); }

static inline __m256 Load8(const std::uint8_t* p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}

static inline __m256 Load8(const std::int8_t* p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}

static inline __m256 Load8(const std::uint16_t* p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}

static inline __m256 Load8(const std::int16_t* p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}

static inline __m256 Load8(const std::int32_t* p) {
  return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}

static inline __m256 Load8(const std::uint32_t* p) {
  alignas(32) float out[8];
  for (int i = 0; i < 8; ++i) out[i] = static_cast<float>(p[i]);
  return _mm256_load_ps(out);
}

static inline __m256 Load8(const Half* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

// Rounds half away from zero to integers inside [low, high]; NaN gives 0. As FromFloat.
static inline __m256i Round8(__m256 value, float low, float high) {
  const __m256 number = _mm256_cmp_ps(value, value, _CMP_ORD_Q);
  const __m256 inside =
      _mm256_min_ps(_mm256_max_ps(value, _mm256_set1_ps(low)), _mm256_set1_ps(high));
  const __m256 sign = _mm256_and_ps(inside, _mm256_set1_ps(-0.0f));
  const __m256 moved = _mm256_add_ps(inside, _mm256_or_ps(sign, _mm256_set1_ps(kBelowHalf)));
  return _mm256_and_si256(_mm256_cvttps_epi32(moved), _mm256_castps_si256(number));
}

}  // namespace dynjax
