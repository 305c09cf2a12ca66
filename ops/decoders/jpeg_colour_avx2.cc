#include "decoders/jpeg_colour_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <array>
#include <cstring>
#include <utility>

namespace dynjax {
namespace {

constexpr std::size_t kStep = 32;  // pixels at a time
// How many bytes ahead the result's memory is fetched: to wait for it takes longer than the
// arithmetic.
constexpr std::size_t kFetchAhead = 1024;

struct Colours {
  __m256i r, g, b;
};

// Sixteen pixels in 16-bit numbers; the chroma less 128. The weights above 1/2 are split into whole
// parts and what fits 16 bits: 1.402 = 1 + 0.402, 1.772 = 2 - 0.228, 0.714 = 1 - 0.286. Halving
// 0.402 loses a bit that changes no result for the 256 values of the chroma.
Colours ToRgb(__m256i luma, __m256i blue, __m256i red) {
  const __m256i r = _mm256_add_epi16(_mm256_add_epi16(luma, red),
                                     _mm256_mulhrs_epi16(red, _mm256_set1_epi16(13173)));
  const __m256i b = _mm256_add_epi16(_mm256_add_epi16(luma, _mm256_add_epi16(blue, blue)),
                                     _mm256_mulhrs_epi16(blue, _mm256_set1_epi16(-7471)));
  const __m256i weights = _mm256_set1_epi32((18734 << 16) | (-22554 & 0xffff));
  const __m256i half = _mm256_set1_epi32(1 << 15);
  const __m256i low = _mm256_srai_epi32(
      _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(blue, red), weights), half), 16);
  const __m256i high = _mm256_srai_epi32(
      _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(blue, red), weights), half), 16);
  const __m256i g = _mm256_add_epi16(_mm256_sub_epi16(luma, red), _mm256_packs_epi32(low, high));
  return {r, g, b};
}

using Table = std::array<std::uint8_t, 32>;

// Byte 3 p + colour of 48 interleaved ones is pixel p's. Modulo 16 these places are all different,
// so that one shuffle brings a colour's bytes to where they belong in three parts of 16 bytes.
constexpr Table Shuffle(int colour) {
  Table picks{};
  for (int p = 0; p < 16; ++p) {
    const auto at = static_cast<std::size_t>((3 * p + colour) % 16);
    picks[at] = picks[at + 16] = static_cast<std::uint8_t>(p);
  }
  return picks;
}

// Marks the bytes of a part that are of one colour.
constexpr Table Mask(int part, int colour) {
  Table mask{};
  for (std::size_t i = 0; i < 32; ++i) {
    mask[i] = (16 * part + static_cast<int>(i % 16)) % 3 == colour ? 0xff : 0;
  }
  return mask;
}

alignas(32) constexpr Table kShuffles[] = {Shuffle(0), Shuffle(1), Shuffle(2)};
alignas(32) constexpr Table kGreen[] = {Mask(0, 1), Mask(1, 1), Mask(2, 1)};
alignas(32) constexpr Table kBlue[] = {Mask(0, 2), Mask(1, 2), Mask(2, 2)};

__m256i Load(const Table& table) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(table.data()));
}

__m256i Load(const std::uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

void Store(__m256i value, std::uint8_t* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
}

// Called for each step; there may be no such memory.
void FetchAhead(const std::uint8_t* out) {
  const auto ahead = reinterpret_cast<std::uintptr_t>(out) + kFetchAhead;
  _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
  _mm_prefetch(reinterpret_cast<const char*>(ahead + 64), _MM_HINT_T0);
}

// Interleaves three times 32 bytes, pixels 0 to 15 of which lie in the lower halves.
void Store3(Colours c, std::uint8_t* out) {
  const __m256i r = _mm256_shuffle_epi8(c.r, Load(kShuffles[0]));
  const __m256i g = _mm256_shuffle_epi8(c.g, Load(kShuffles[1]));
  const __m256i b = _mm256_shuffle_epi8(c.b, Load(kShuffles[2]));
  __m256i part[3];
  for (int i = 0; i < 3; ++i) {
    part[i] = _mm256_blendv_epi8(_mm256_blendv_epi8(r, g, Load(kGreen[i])), b, Load(kBlue[i]));
  }
  Store(_mm256_permute2x128_si256(part[0], part[1], 0x20), out);
  Store(_mm256_permute2x128_si256(part[2], part[0], 0x30), out + 32);
  Store(_mm256_permute2x128_si256(part[1], part[2], 0x31), out + 64);
}

// Calls `convert(i, to)` for 32 pixels at a time, with room of its own for the last ones.
template <typename Convert>
void ForEachStep(std::size_t count, std::uint8_t* out, Convert convert) {
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) convert(i, out + 3 * i);
  if (i == count) return;
  std::array<std::uint8_t, 3 * kStep> rest;
  convert(i, rest.data());
  std::memcpy(out + 3 * i, rest.data(), 3 * (count - i));
}

template <bool kIsBgr>
void Convert(const std::uint8_t* luma, const std::uint8_t* blue, const std::uint8_t* red,
             std::size_t count, std::uint8_t* out) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i middle = _mm256_set1_epi16(128);
  ForEachStep(count, out, [&](std::size_t i, std::uint8_t* to) {
    FetchAhead(to);
    const __m256i y = Load(luma + i), cb = Load(blue + i), cr = Load(red + i);
    const auto low = [&](__m256i x) { return _mm256_unpacklo_epi8(x, zero); };
    const auto high = [&](__m256i x) { return _mm256_unpackhi_epi8(x, zero); };
    const Colours a =
        ToRgb(low(y), _mm256_sub_epi16(low(cb), middle), _mm256_sub_epi16(low(cr), middle));
    const Colours b =
        ToRgb(high(y), _mm256_sub_epi16(high(cb), middle), _mm256_sub_epi16(high(cr), middle));
    Colours all{_mm256_packus_epi16(a.r, b.r), _mm256_packus_epi16(a.g, b.g),
                _mm256_packus_epi16(a.b, b.b)};
    if constexpr (kIsBgr) std::swap(all.r, all.b);
    Store3(all, to);
  });
}

}  // namespace

void YCbCrToRgb(const std::uint8_t* luma, const std::uint8_t* blue, const std::uint8_t* red,
                std::size_t count, bool is_bgr, std::uint8_t* out) {
  if (is_bgr) {
    Convert<true>(luma, blue, red, count, out);
  } else {
    Convert<false>(luma, blue, red, count, out);
  }
}

void GrayToRgb(const std::uint8_t* luma, std::size_t count, std::uint8_t* out) {
  ForEachStep(count, out, [&](std::size_t i, std::uint8_t* to) {
    const __m256i y = Load(luma + i);
    Store3({y, y, y}, to);
  });
}

}  // namespace dynjax

#endif
