#include "normalise/crop_mirror_normalize_avx2.h"

#if defined(__AVX2__)

#include "base/load_avx2.h"
#include "normalise/scalar_rows.h"

namespace dynjax {
namespace {

__m256 Normalized8(__m256 x, __m256 mean, __m256 mul, __m256 shift) {
  return _mm256_fmadd_ps(_mm256_sub_ps(x, mean), mul, shift);
}

void Affine(const float* mean, const float* mul, std::int64_t step, float shift, std::int64_t n,
            float* x) {
  const __m256 shifts = _mm256_set1_ps(shift);
  std::int64_t i = 0;
  if (step == 0) {
    const __m256 means = _mm256_set1_ps(*mean), muls = _mm256_set1_ps(*mul);
    for (; i + 8 <= n; i += 8) {
      _mm256_storeu_ps(x + i, Normalized8(_mm256_loadu_ps(x + i), means, muls, shifts));
    }
  } else {
    for (; i + 8 <= n; i += 8) {
      _mm256_storeu_ps(x + i, Normalized8(_mm256_loadu_ps(x + i), _mm256_loadu_ps(mean + i),
                                          _mm256_loadu_ps(mul + i), shifts));
    }
  }
  for (; i < n; ++i) x[i] = Normalized(x[i], mean[i * step], mul[i * step], shift);
}

void Put8(__m256 value, float* out) { _mm256_storeu_ps(out, value); }

void Put8(__m256 value, Half* out) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

// Picks byte `first + 3 * k` (or, reversed, 3 * (3 - k)) into the lowest byte of element k.
__m128i Picks(int first, bool reversed) {
  const auto at = [&](int k) {
    return static_cast<int>(0x80808000u |
                            static_cast<unsigned>(first + 3 * (reversed ? 3 - k : k)));
  };
  return _mm_setr_epi32(at(0), at(1), at(2), at(3));
}

// Walking backwards defeats the prefetcher, at twice the cost of the whole: this fetches what is
// most likely the next row. The address is a hint and need not be valid.
void PrefetchNext(const std::uint8_t* in, std::int64_t n) {
  const auto next = reinterpret_cast<std::uintptr_t>(in) + static_cast<std::uintptr_t>(3 * n);
  for (std::uintptr_t k = 0; k < static_cast<std::uintptr_t>(3 * n); k += 64) {
    _mm_prefetch(reinterpret_cast<const char*>(next + k), _MM_HINT_T0);
  }
}

// Eight pixels are 24 bytes: the first four are bytes 0-11 of a load at 0, the others bytes 4-15 of
// a load at 8, so that nothing beyond the 24 is read.
template <typename T>
void Split(const std::uint8_t* in, std::int64_t n, bool reversed, const float* mean,
           const float* mul, float shift, void* const* planes) {
  const __m256 shifts = _mm256_set1_ps(shift);
  __m256 means[3], muls[3];
  __m256i picks[3];
  for (int c = 0; c < 3; ++c) {
    means[c] = _mm256_set1_ps(mean[c]);
    muls[c] = _mm256_set1_ps(mul[c]);
    picks[c] = reversed ? _mm256_set_m128i(Picks(c, true), Picks(c + 4, true))
                        : _mm256_set_m128i(Picks(c + 4, false), Picks(c, false));
  }
  const int low_at = reversed ? 8 : 0, high_at = reversed ? 0 : 8;
  T* const out[3] = {static_cast<T*>(planes[0]), static_cast<T*>(planes[1]),
                     static_cast<T*>(planes[2])};
  if (reversed) {
    PrefetchNext(in, n);
  }
  const std::uint8_t* at = reversed ? in + 3 * (n - 8) : in;
  const std::int64_t step = reversed ? -24 : 24;
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, at += step) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + low_at));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + high_at));
    const __m256i bytes = _mm256_set_m128i(high, low);
    for (int c = 0; c < 3; ++c) {
      const __m256 x = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, picks[c]));
      Put8(Normalized8(x, means[c], muls[c], shifts), out[c] + i);
    }
  }
  ScalarSplit<T>(in, n, reversed, mean, mul, shift, planes, i, n);
}

// Eight pixels are three groups of eight bytes; reversed, each lies inside a load at 8, 4 and 0.
void Interleave(const std::uint8_t* in, std::int64_t n, bool reversed, const float* mean,
                const float* mul, float shift, float* out) {
  const __m128i picks[3] = {
      _mm_setr_epi8(13, 14, 15, 10, 11, 12, 7, 8, -1, -1, -1, -1, -1, -1, -1, -1),
      _mm_setr_epi8(13, 8, 9, 10, 5, 6, 7, 2, -1, -1, -1, -1, -1, -1, -1, -1),
      _mm_setr_epi8(7, 8, 3, 4, 5, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1)};
  const __m256 shifts = _mm256_set1_ps(shift);
  __m256 means[3], muls[3];
  for (int k = 0; k < 3; ++k) {
    const int c = (8 * k) % 3, d = (c + 1) % 3, e = (c + 2) % 3;
    means[k] =
        _mm256_setr_ps(mean[c], mean[d], mean[e], mean[c], mean[d], mean[e], mean[c], mean[d]);
    muls[k] = _mm256_setr_ps(mul[c], mul[d], mul[e], mul[c], mul[d], mul[e], mul[c], mul[d]);
  }
  if (reversed) PrefetchNext(in, n);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const std::uint8_t* at = in + 3 * (reversed ? n - 8 - i : i);
    for (int k = 0; k < 3; ++k) {
      __m256 x;
      if (reversed) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 8 - 4 * k));
        x = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, picks[k])));
      } else {
        x = Load8(at + 8 * k);
      }
      _mm256_storeu_ps(out + 3 * i + 8 * k, Normalized8(x, means[k], muls[k], shifts));
    }
  }
  ScalarInterleave(in, n, reversed, mean, mul, shift, i, out);
}

constexpr NormalizeRows kAvx2{.affine = Affine,
                              .split_f32 = Split<float>,
                              .split_f16 = Split<Half>,
                              .interleave = Interleave};

}  // namespace

const NormalizeRows& Avx2NormalizeRows() { return kAvx2; }

}  // namespace dynjax

#endif  // __AVX2__
