// The steps of the JPEG distortion, eight elements at a time, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
//
// Whole numbers throughout, in the order in which libjpeg's accurate integer transform computes
// them, so that the result is its own to the bit; `_ops/_lib/jpeg_transform.py` says more.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "colour/jpeg_rows.h"

namespace dynjax {
namespace {

using Lanes = std::int32_t __attribute__((vector_size(32)));
using FloatLanes = float __attribute__((vector_size(32)));

constexpr int kBits = 13, kExtra = 2;

inline void LoadBytes(const std::uint8_t* in, Lanes& out) {
#if defined(__AVX2__)
  out = reinterpret_cast<Lanes>(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(in))));
#else
  for (int k = 0; k < 8; ++k) out[k] = in[k];
#endif
}

// Clamped to bytes.
inline void StoreBytes(const Lanes& in, std::uint8_t* out) {
#if defined(__AVX2__)
  const auto v = reinterpret_cast<__m256i>(in);
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
#else
  for (int k = 0; k < 8; ++k) {
    out[k] = static_cast<std::uint8_t>(std::clamp<std::int32_t>(in[k], 0, 255));
  }
#endif
}

inline void LoadPixels(const std::uint8_t* in, Lanes (&out)[3]) {
#if defined(__AVX2__)
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 8));
  for (int c = 0; c < 3; ++c) {
    const auto at = [&](int k) { return static_cast<int>(0x80808000u) | (c + k); };
    const __m128i first = _mm_setr_epi32(at(0), at(3), at(6), at(9));
    const __m128i second = _mm_setr_epi32(at(4), at(7), at(10), at(13));
    out[c] = reinterpret_cast<Lanes>(_mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_shuffle_epi8(low, first)), _mm_shuffle_epi8(high, second), 1));
  }
#else
  for (int k = 0; k < 8; ++k) {
    for (int c = 0; c < 3; ++c) out[c][k] = in[3 * k + c];
  }
#endif
}

// Clamped to bytes. May touch kJpegSlack bytes behind the pixels.
inline void StorePixels(const Lanes (&in)[3], std::uint8_t* out) {
#if defined(__AVX2__)
  __m256i v[3];
  for (int c = 0; c < 3; ++c) {
    v[c] =
        _mm256_min_epi32(_mm256_max_epi32(reinterpret_cast<__m256i>(in[c]), _mm256_setzero_si256()),
                         _mm256_set1_epi32(255));
  }
  const __m256i pixels = _mm256_or_si256(
      v[0], _mm256_or_si256(_mm256_slli_epi32(v[1], 8), _mm256_slli_epi32(v[2], 16)));
  const __m256i compact = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  const __m256i bytes = _mm256_shuffle_epi8(pixels, compact);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(bytes));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 12), _mm256_extracti128_si256(bytes, 1));
#else
  for (int k = 0; k < 8; ++k) {
    for (int c = 0; c < 3; ++c) {
      out[3 * k + c] = static_cast<std::uint8_t>(std::clamp<std::int32_t>(in[c][k], 0, 255));
    }
  }
#endif
}

inline void Transpose(Lanes (&x)[8]) {
#if defined(__AVX2__)
  __m256i a[8], b[8];
  for (int k = 0; k < 8; k += 2) {
    const auto u = reinterpret_cast<__m256i>(x[k]), v = reinterpret_cast<__m256i>(x[k + 1]);
    a[k] = _mm256_unpacklo_epi32(u, v);
    a[k + 1] = _mm256_unpackhi_epi32(u, v);
  }
  for (int k = 0; k < 8; k += 4) {
    b[k] = _mm256_unpacklo_epi64(a[k], a[k + 2]);
    b[k + 1] = _mm256_unpackhi_epi64(a[k], a[k + 2]);
    b[k + 2] = _mm256_unpacklo_epi64(a[k + 1], a[k + 3]);
    b[k + 3] = _mm256_unpackhi_epi64(a[k + 1], a[k + 3]);
  }
  for (int k = 0; k < 4; ++k) {
    x[k] = reinterpret_cast<Lanes>(_mm256_permute2x128_si256(b[k], b[k + 4], 0x20));
    x[k + 4] = reinterpret_cast<Lanes>(_mm256_permute2x128_si256(b[k], b[k + 4], 0x31));
  }
#else
  for (int r = 0; r < 8; ++r) {
    for (int c = r + 1; c < 8; ++c) {
      const std::int32_t held = x[r][c];
      x[r][c] = x[c][r];
      x[c][r] = held;
    }
  }
#endif
}

template <int kDown>
inline void Round(Lanes& x) {
  x = (x + (1 << (kDown - 1))) >> kDown;
}

// The rotated sums that the odd parts of both directions share.
inline void OddProducts(const Lanes& t4, const Lanes& t5, const Lanes& t6, const Lanes& t7,
                        Lanes& z1, Lanes& z2, Lanes& z3, Lanes& z4) {
  z3 = t4 + t6;
  z4 = t5 + t7;
  const Lanes z5 = (z3 + z4) * 9633;
  z1 = (t4 + t7) * -7373;
  z2 = (t5 + t6) * -20995;
  z3 = z3 * -16069 + z5;
  z4 = z4 * -3196 + z5;
}

// Eight values to eight coefficients. The first pass leaves kExtra bits, which the second takes.
template <bool kFirst>
inline void Forward(Lanes (&x)[8]) {
  constexpr int kDown = kFirst ? kBits - kExtra : kBits + kExtra;
  const Lanes s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  const Lanes d4 = x[3] - x[4], d5 = x[2] - x[5], d6 = x[1] - x[6], d7 = x[0] - x[7];
  const Lanes e0 = s0 + s3, e3 = s0 - s3, e1 = s1 + s2, e2 = s1 - s2;
  if constexpr (kFirst) {
    x[0] = (e0 + e1) << kExtra;
    x[4] = (e0 - e1) << kExtra;
  } else {
    x[0] = e0 + e1;
    x[4] = e0 - e1;
    Round<kExtra>(x[0]);
    Round<kExtra>(x[4]);
  }
  const Lanes z = (e2 + e3) * 4433;
  x[2] = z + e3 * 6270;
  x[6] = z + e2 * -15137;
  Lanes z1, z2, z3, z4;
  OddProducts(d4, d5, d6, d7, z1, z2, z3, z4);
  x[7] = d4 * 2446 + z1 + z3;
  x[5] = d5 * 16819 + z2 + z4;
  x[3] = d6 * 25172 + z2 + z3;
  x[1] = d7 * 12299 + z1 + z4;
  for (const int k : {1, 2, 3, 5, 6, 7}) Round<kDown>(x[k]);
}

// Eight coefficients to eight values.
template <int kDown>
inline void Inverse(Lanes (&x)[8]) {
  const Lanes z = (x[2] + x[6]) * 4433;
  const Lanes t2 = z + x[6] * -15137, t3 = z + x[2] * 6270;
  const Lanes t0 = (x[0] + x[4]) << kBits, t1 = (x[0] - x[4]) << kBits;
  Lanes z1, z2, z3, z4;
  OddProducts(x[7], x[5], x[3], x[1], z1, z2, z3, z4);
  const Lanes o0 = x[7] * 2446 + z1 + z3, o1 = x[5] * 16819 + z2 + z4;
  const Lanes o2 = x[3] * 25172 + z2 + z3, o3 = x[1] * 12299 + z1 + z4;
  const Lanes e0 = t0 + t3, e1 = t1 + t2, e2 = t1 - t2, e3 = t0 - t3;
  x[0] = e0 + o3;
  x[7] = e0 - o3;
  x[1] = e1 + o2;
  x[6] = e1 - o2;
  x[2] = e2 + o1;
  x[5] = e2 - o1;
  x[3] = e3 + o0;
  x[4] = e3 - o0;
  for (auto& value : x) Round<kDown>(value);
}

// To the nearest multiple of 8 * step, halves away from zero; in units of 8. Quotients are far
// below 2^24, so that float division never rounds up to the next whole number.
inline void Quantise(Lanes& x, const std::int32_t* steps) {
  Lanes step;
  std::memcpy(&step, steps, sizeof(step));
  const Lanes negative = x >> 31;
  const Lanes size = (x ^ negative) - negative;
  const Lanes moved = size + (step << 2), whole = step << 3;
  const FloatLanes quotient =
      __builtin_convertvector(moved, FloatLanes) / __builtin_convertvector(whole, FloatLanes);
  const Lanes kept = __builtin_convertvector(quotient, Lanes) * step;
  x = (kept ^ negative) - negative;
}

void CodeBlocks(std::uint8_t* rows, std::int64_t stride, std::int64_t blocks,
                const std::int32_t* steps) {
  for (std::int64_t b = 0; b < blocks; ++b, rows += 8) {
    Lanes x[8];
    for (int k = 0; k < 8; ++k) {
      LoadBytes(rows + k * stride, x[k]);
      x[k] -= 128;
    }
    Transpose(x);
    Forward<true>(x);
    Transpose(x);
    Forward<false>(x);
    for (int k = 0; k < 8; ++k) Quantise(x[k], steps + 8 * k);
    Inverse<kBits - kExtra>(x);
    Transpose(x);
    Inverse<kBits + kExtra + 3>(x);
    Transpose(x);
    for (int k = 0; k < 8; ++k) StoreBytes(x[k] + 128, rows + k * stride);
  }
}

constexpr std::int32_t kHalf = 1 << 15, kOffset = (128 << 16) + kHalf - 1;

void RgbToYcc(const std::uint8_t* rgb, std::int64_t n, std::uint8_t* luma, std::uint8_t* blue,
              std::uint8_t* red) {
  for (std::int64_t i = 0; i < n; i += 8) {
    Lanes p[3];
    LoadPixels(rgb + 3 * i, p);
    StoreBytes((p[0] * 19595 + p[1] * 38470 + p[2] * 7471 + kHalf) >> 16, luma + i);
    StoreBytes((p[0] * -11059 + p[1] * -21709 + (p[2] << 15) + kOffset) >> 16, blue + i);
    StoreBytes(((p[0] << 15) + p[1] * -27439 + p[2] * -5329 + kOffset) >> 16, red + i);
  }
}

void YccToRgb(const std::uint8_t* luma, const std::uint8_t* blue, const std::uint8_t* red,
              std::int64_t n, std::uint8_t* rgb) {
  for (std::int64_t i = 0; i < n; i += 8) {
    Lanes y, cb, cr;
    LoadBytes(luma + i, y);
    LoadBytes(blue + i, cb);
    LoadBytes(red + i, cr);
    cb -= 128;
    cr -= 128;
    const Lanes p[3] = {y + ((cr * 91881 + kHalf) >> 16),
                        y + ((cb * -22554 + cr * -46802 + kHalf) >> 16),
                        y + ((cb * 116130 + kHalf) >> 16)};
    StorePixels(p, rgb + 3 * i);
  }
}

void HalveRows(const std::uint8_t* upper, const std::uint8_t* lower, std::int64_t n,
               std::uint8_t* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const int sum = upper[2 * i] + upper[2 * i + 1] + lower[2 * i] + lower[2 * i + 1];
    out[i] = static_cast<std::uint8_t>((sum + 1 + static_cast<int>(i & 1)) >> 2);
  }
}

void EnlargeRow(const std::uint8_t* row, const std::uint8_t* neighbour, std::int64_t n,
                std::int16_t* sums, std::uint8_t* out) {
  std::int16_t* own = sums + 1;
  for (std::int64_t i = 0; i < n; ++i) {
    own[i] = static_cast<std::int16_t>(3 * row[i] + neighbour[i]);
  }
  own[-1] = own[0];
  own[n] = own[n - 1];
  for (std::int64_t i = 0; i < n; ++i) {
    out[2 * i] = static_cast<std::uint8_t>((3 * own[i] + own[i - 1] + 8) >> 4);
    out[2 * i + 1] = static_cast<std::uint8_t>((3 * own[i] + own[i + 1] + 7) >> 4);
  }
}

constexpr JpegRows kOwnRows{.to_ycc = RgbToYcc,
                            .halve = HalveRows,
                            .code = CodeBlocks,
                            .enlarge = EnlargeRow,
                            .to_rgb = YccToRgb};

}  // namespace
}  // namespace dynjax
