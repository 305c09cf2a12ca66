// Eight floats side by side, for kernels that compute eight signals at once.
//
// Internal linkage, because files compiled for different instruction sets include it; without AVX
// the compiler makes two SSE operations of each.
#pragma once

#if defined(__SSE__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstring>

namespace dynjax {
namespace {

constexpr int kLanes = 8;
using Lanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = std::int32_t __attribute__((vector_size(4 * kLanes)));

inline void Load(const float* in, Lanes& out) { std::memcpy(&out, in, sizeof(out)); }
inline void Store(const Lanes& in, float* out) { std::memcpy(out, &in, sizeof(in)); }

inline void Transpose(Lanes (&x)[kLanes]) {
#if defined(__AVX2__)
  __m256 a[kLanes], b[kLanes];
  for (int k = 0; k < kLanes; k += 2) {
    a[k] = _mm256_unpacklo_ps(x[k], x[k + 1]);
    a[k + 1] = _mm256_unpackhi_ps(x[k], x[k + 1]);
  }
  for (int k = 0; k < kLanes; k += 4) {
    b[k] = _mm256_shuffle_ps(a[k], a[k + 2], 0x44);
    b[k + 1] = _mm256_shuffle_ps(a[k], a[k + 2], 0xee);
    b[k + 2] = _mm256_shuffle_ps(a[k + 1], a[k + 3], 0x44);
    b[k + 3] = _mm256_shuffle_ps(a[k + 1], a[k + 3], 0xee);
  }
  for (int k = 0; k < 4; ++k) {
    x[k] = _mm256_permute2f128_ps(b[k], b[k + 4], 0x20);
    x[k + 4] = _mm256_permute2f128_ps(b[k], b[k + 4], 0x31);
  }
#else
  for (int r = 0; r < kLanes; ++r) {
    for (int c = r + 1; c < kLanes; ++c) {
      const float held = x[r][c];
      x[r][c] = x[c][r];
      x[c][r] = held;
    }
  }
#endif
}

inline void SquareRoot(Lanes& x) {
#if defined(__AVX2__)
  x = _mm256_sqrt_ps(x);
#elif defined(__SSE__)
  float values[kLanes];
  Store(x, values);
  _mm_storeu_ps(values, _mm_sqrt_ps(_mm_loadu_ps(values)));
  _mm_storeu_ps(values + 4, _mm_sqrt_ps(_mm_loadu_ps(values + 4)));
  Load(values, x);
#else
  for (int k = 0; k < kLanes; ++k) x[k] = std::sqrt(x[k]);
#endif
}

}  // namespace
}  // namespace dynjax
