#include "decoders/jpeg_idct_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <cstring>

namespace dynjax {
namespace {

constexpr int kConstBits = 13, kPassBits = 2;

constexpr int Fixed(double x) { return static_cast<int>(x * (1 << kConstBits) + 0.5); }

// Coefficients in places below this one of the zigzag order lie in the first four rows and columns.
constexpr int kQuarter = 10;

// Eight rows (or columns) of two blocks, a block in each half of the registers.
struct Rows {
  __m256i r[8];
};

// a * x + b * y of 16-bit numbers; two of them lie in each element of `pair`.
__m256i Sum2(__m256i pair, int a, int b) {
  return _mm256_madd_epi16(
      pair, _mm256_set1_epi32(static_cast<int>(static_cast<unsigned>(b) << 16 |
                                               (static_cast<unsigned>(a) & 0xffff))));
}

__m256i Sum4(__m256i p, int a, int b, __m256i q, int c, int d) {
  return _mm256_add_epi32(Sum2(p, a, b), Sum2(q, c, d));
}

template <bool kHigh>
__m256i Pairs(__m256i x, __m256i y) {
  return kHigh ? _mm256_unpackhi_epi16(x, y) : _mm256_unpacklo_epi16(x, y);
}

// The one-dimensional transform of eight values, for half of the columns. Each odd term is the sum
// of the products that the factored form has on its way to it; whole numbers are associative.
template <bool kHigh, bool kIsQuarter, int kShift>
void HalfTransform8(const Rows& in, __m256i* out) {
  constexpr int k0_298 = Fixed(0.298631336), k0_390 = Fixed(0.390180644);
  constexpr int k0_541 = Fixed(0.541196100), k0_765 = Fixed(0.765366865);
  constexpr int k0_899 = Fixed(0.899976223), k1_175 = Fixed(1.175875602);
  constexpr int k1_501 = Fixed(1.501321110), k1_847 = Fixed(1.847759065);
  constexpr int k1_961 = Fixed(1.961570560), k2_053 = Fixed(2.053119869);
  constexpr int k2_562 = Fixed(2.562915447), k3_072 = Fixed(3.072711026);
  constexpr int kOne = 1 << kConstBits;
  const __m256i half = _mm256_set1_epi32(1 << (kShift - 1));
  const __m256i* r = in.r;

  __m256i even[4], odd[4];
  if constexpr (kIsQuarter) {
    const __m256i p02 = Pairs<kHigh>(r[0], r[2]), p13 = Pairs<kHigh>(r[1], r[3]);
    even[0] = _mm256_add_epi32(Sum2(p02, kOne, k0_541 + k0_765), half);
    even[1] = _mm256_add_epi32(Sum2(p02, kOne, k0_541), half);
    even[2] = _mm256_add_epi32(Sum2(p02, kOne, -k0_541), half);
    even[3] = _mm256_add_epi32(Sum2(p02, kOne, -k0_541 - k0_765), half);
    odd[0] = Sum2(p13, k1_501 - k0_899 - k0_390 + k1_175, k1_175);
    odd[1] = Sum2(p13, k1_175, k3_072 - k2_562 - k1_961 + k1_175);
    odd[2] = Sum2(p13, k1_175 - k0_390, k1_175 - k2_562);
    odd[3] = Sum2(p13, k1_175 - k0_899, k1_175 - k1_961);
  } else {
    const __m256i p04 = Pairs<kHigh>(r[0], r[4]), p26 = Pairs<kHigh>(r[2], r[6]);
    const __m256i p13 = Pairs<kHigh>(r[1], r[3]), p57 = Pairs<kHigh>(r[5], r[7]);
    const __m256i sum = _mm256_add_epi32(Sum2(p04, kOne, kOne), half);
    const __m256i difference = _mm256_add_epi32(Sum2(p04, kOne, -kOne), half);
    const __m256i a = Sum2(p26, k0_541 + k0_765, k0_541);
    const __m256i b = Sum2(p26, k0_541, k0_541 - k1_847);
    even[0] = _mm256_add_epi32(sum, a);
    even[1] = _mm256_add_epi32(difference, b);
    even[2] = _mm256_sub_epi32(difference, b);
    even[3] = _mm256_sub_epi32(sum, a);
    odd[0] =
        Sum4(p13, k1_501 - k0_899 - k0_390 + k1_175, k1_175, p57, k1_175 - k0_390, k1_175 - k0_899);
    odd[1] =
        Sum4(p13, k1_175, k3_072 - k2_562 - k1_961 + k1_175, p57, k1_175 - k2_562, k1_175 - k1_961);
    odd[2] =
        Sum4(p13, k1_175 - k0_390, k1_175 - k2_562, p57, k2_053 - k2_562 - k0_390 + k1_175, k1_175);
    odd[3] =
        Sum4(p13, k1_175 - k0_899, k1_175 - k1_961, p57, k1_175, k0_298 - k0_899 - k1_961 + k1_175);
  }
  for (int i = 0; i < 4; ++i) {
    out[i] = _mm256_srai_epi32(_mm256_add_epi32(even[i], odd[i]), kShift);
    out[7 - i] = _mm256_srai_epi32(_mm256_sub_epi32(even[i], odd[i]), kShift);
  }
}

template <bool kIsQuarter, int kShift>
Rows Transform8(const Rows& in) {
  __m256i low[8], high[8];
  HalfTransform8<false, kIsQuarter, kShift>(in, low);
  HalfTransform8<true, kIsQuarter, kShift>(in, high);
  Rows out;
  for (int i = 0; i < 8; ++i) out.r[i] = _mm256_packs_epi32(low[i], high[i]);
  return out;
}

// Of eight values to four: the fifth has no part in it. The factored form is libjpeg's.
template <bool kHigh, bool kIsQuarter, int kShift>
void HalfTransform4(const Rows& in, __m256i* out) {
  constexpr int k0_211 = Fixed(0.211164243), k0_509 = Fixed(0.509795579);
  constexpr int k0_601 = Fixed(0.601344887), k0_765 = Fixed(0.765366865);
  constexpr int k0_899 = Fixed(0.899976223), k1_061 = Fixed(1.061594337);
  constexpr int k1_451 = Fixed(1.451774981), k1_847 = Fixed(1.847759065);
  constexpr int k2_172 = Fixed(2.172734803), k2_562 = Fixed(2.562915447);
  const __m256i half = _mm256_set1_epi32(1 << (kShift - 1));
  const __m256i* r = in.r;
  const __m256i zero = _mm256_setzero_si256();
  const __m256i mean = _mm256_add_epi32(Sum2(Pairs<kHigh>(r[0], zero), 2 << kConstBits, 0), half);
  const __m256i p13 = Pairs<kHigh>(r[1], r[3]);
  __m256i second, outer, inner;
  if constexpr (kIsQuarter) {
    second = Sum2(Pairs<kHigh>(r[2], zero), k1_847, 0);
    outer = Sum2(p13, k2_562, k0_899);
    inner = Sum2(p13, k1_061, -k2_172);
  } else {
    const __m256i p57 = Pairs<kHigh>(r[5], r[7]);
    second = Sum2(Pairs<kHigh>(r[2], r[6]), k1_847, -k0_765);
    outer = Sum4(p13, k2_562, k0_899, p57, -k0_601, -k0_509);
    inner = Sum4(p13, k1_061, -k2_172, p57, k1_451, -k0_211);
  }
  const __m256i a = _mm256_add_epi32(mean, second), b = _mm256_sub_epi32(mean, second);
  out[0] = _mm256_srai_epi32(_mm256_add_epi32(a, outer), kShift);
  out[3] = _mm256_srai_epi32(_mm256_sub_epi32(a, outer), kShift);
  out[1] = _mm256_srai_epi32(_mm256_add_epi32(b, inner), kShift);
  out[2] = _mm256_srai_epi32(_mm256_sub_epi32(b, inner), kShift);
}

// To two values: of the even ones only the first has a part in it.
template <bool kHigh, int kShift>
void HalfTransform2(const Rows& in, __m256i* out) {
  constexpr int k0_720 = Fixed(0.720959822), k0_850 = Fixed(0.850430095);
  constexpr int k1_272 = Fixed(1.272758580), k3_624 = Fixed(3.624509785);
  const __m256i half = _mm256_set1_epi32(1 << (kShift - 1));
  const __m256i* r = in.r;
  // Twice 2 << kConstBits, which does not fit 16 bits as one factor.
  const __m256i mean =
      _mm256_add_epi32(Sum2(Pairs<kHigh>(r[0], r[0]), 2 << kConstBits, 2 << kConstBits), half);
  const __m256i odd =
      Sum4(Pairs<kHigh>(r[1], r[3]), k3_624, -k1_272, Pairs<kHigh>(r[5], r[7]), k0_850, -k0_720);
  out[0] = _mm256_srai_epi32(_mm256_add_epi32(mean, odd), kShift);
  out[1] = _mm256_srai_epi32(_mm256_sub_epi32(mean, odd), kShift);
}

template <bool kHigh, int kSize, bool kIsQuarter, int kShift>
void HalfReduced(const Rows& in, __m256i* out) {
  if constexpr (kSize == 4) {
    HalfTransform4<kHigh, kIsQuarter, kShift>(in, out);
  } else {
    HalfTransform2<kHigh, kShift>(in, out);
  }
}

// 8 x 8 in each half of the registers; of `kRows` rows, the others being zero.
template <int kRows, int kColumns>
Rows Transposed(const Rows& in) {
  const __m256i* r = in.r;
  Rows out;
  if constexpr (kRows == 8) {
    __m256i a[8], b[8];
    for (int i = 0; i < 4; ++i) {
      a[2 * i] = _mm256_unpacklo_epi16(r[2 * i], r[2 * i + 1]);
      a[2 * i + 1] = _mm256_unpackhi_epi16(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 2; ++i) {
      b[4 * i] = _mm256_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
      b[4 * i + 1] = _mm256_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
      b[4 * i + 2] = _mm256_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
      b[4 * i + 3] = _mm256_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
    }
    for (int i = 0; i < kColumns / 2; ++i) {
      out.r[2 * i] = _mm256_unpacklo_epi64(b[i], b[i + 4]);
      out.r[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 4]);
    }
  } else {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i a0 = _mm256_unpacklo_epi16(r[0], r[1]), a1 = _mm256_unpackhi_epi16(r[0], r[1]);
    const __m256i a2 = _mm256_unpacklo_epi16(r[2], r[3]), a3 = _mm256_unpackhi_epi16(r[2], r[3]);
    const __m256i b[4] = {_mm256_unpacklo_epi32(a0, a2), _mm256_unpackhi_epi32(a0, a2),
                          _mm256_unpacklo_epi32(a1, a3), _mm256_unpackhi_epi32(a1, a3)};
    for (int i = 0; i < kColumns / 2; ++i) {
      out.r[2 * i] = _mm256_unpacklo_epi64(b[i], zero);
      out.r[2 * i + 1] = _mm256_unpackhi_epi64(b[i], zero);
    }
  }
  return out;
}

// Products beyond 14 bits and a sign mark an excess. One of the rows may have no part in the
// result.
template <int kRows, int kUnused = -1>
Rows Dequantized(const BlockPair& blocks, const QuantPair& quant, __m256i* excess) {
  Rows out;
  __m256i found = *excess;  // which would live in memory
  for (int i = 0; i < kRows; ++i) {
    if (i == kUnused) continue;
    const auto load = [i](const auto& values) {
      return _mm256_load_si256(reinterpret_cast<const __m256i*>(values.data()) + i);
    };
    const __m256i x = load(blocks.values);
    found = _mm256_or_si256(found, _mm256_mulhi_epu16(_mm256_abs_epi16(x), load(quant.times4)));
    out.r[i] = _mm256_mullo_epi16(x, load(quant.values));
  }
  *excess = found;
  return out;
}

// The same between the passes: sums of two still fit 16 bits.
template <int kRows>
void Check(const Rows& rows, __m256i* excess) {
  __m256i sizes = _mm256_setzero_si256();
  for (int i = 0; i < kRows; ++i) sizes = _mm256_or_si256(sizes, _mm256_abs_epi16(rows.r[i]));
  *excess = _mm256_or_si256(*excess, _mm256_srli_epi16(sizes, 14));
}

__m256i ToSamples(__m256i bytes) { return _mm256_xor_si256(bytes, _mm256_set1_epi8(-128)); }

// Rows 2 i and 2 i + 1 of the first block in the lower half, of the second one in the upper.
void StoreRows(__m256i rows, int i, const BlockPlaces& to) {
  const std::ptrdiff_t at = 2 * i * to.stride;
  if (to.second == to.first + 8) {
    const __m256i joined = _mm256_permute4x64_epi64(rows, 0xd8);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to.first + at), _mm256_castsi256_si128(joined));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to.first + at + to.stride),
                     _mm256_extracti128_si256(joined, 1));
    return;
  }
  const __m128d first = _mm_castsi128_pd(_mm256_castsi256_si128(rows));
  const __m128d second = _mm_castsi128_pd(_mm256_extracti128_si256(rows, 1));
  _mm_storel_pd(reinterpret_cast<double*>(to.first + at), first);
  _mm_storeh_pd(reinterpret_cast<double*>(to.first + at + to.stride), first);
  _mm_storel_pd(reinterpret_cast<double*>(to.second + at), second);
  _mm_storeh_pd(reinterpret_cast<double*>(to.second + at + to.stride), second);
}

// From columns of 16-bit samples to rows of bytes.
void StoreColumns(const Rows& columns, const BlockPlaces& to) {
  const __m256i* c = columns.r;
  const __m256i c04 = _mm256_packs_epi16(c[0], c[4]), c26 = _mm256_packs_epi16(c[2], c[6]);
  const __m256i c15 = _mm256_packs_epi16(c[1], c[5]), c37 = _mm256_packs_epi16(c[3], c[7]);
  const __m256i c02 = _mm256_unpacklo_epi8(c04, c26), c46 = _mm256_unpackhi_epi8(c04, c26);
  const __m256i c13 = _mm256_unpacklo_epi8(c15, c37), c57 = _mm256_unpackhi_epi8(c15, c37);
  const __m256i left03 = _mm256_unpacklo_epi8(c02, c13), left47 = _mm256_unpackhi_epi8(c02, c13);
  const __m256i right03 = _mm256_unpacklo_epi8(c46, c57), right47 = _mm256_unpackhi_epi8(c46, c57);
  StoreRows(ToSamples(_mm256_unpacklo_epi32(left03, right03)), 0, to);
  StoreRows(ToSamples(_mm256_unpackhi_epi32(left03, right03)), 1, to);
  StoreRows(ToSamples(_mm256_unpacklo_epi32(left47, right47)), 2, to);
  StoreRows(ToSamples(_mm256_unpackhi_epi32(left47, right47)), 3, to);
}

template <bool kIsQuarter>
void Transform(const BlockPair& blocks, const QuantPair& quant, const BlockPlaces& to,
               __m256i* excess) {
  constexpr int kUsed = kIsQuarter ? 4 : 8;
  const Rows rows =
      Transform8<kIsQuarter, kConstBits - kPassBits>(Dequantized<kUsed>(blocks, quant, excess));
  Check<8>(rows, excess);
  const Rows columns =
      Transform8<kIsQuarter, kConstBits + kPassBits + 3>(Transposed<8, kUsed>(rows));
  StoreColumns(columns, to);
}

std::uint8_t Sample(int value) {
  return static_cast<std::uint8_t>(value < -128 ? 0 : value > 127 ? 255 : value + 128);
}

template <int kSize>
void FillBlock(std::uint8_t sample, std::uint8_t* to, std::ptrdiff_t stride) {
  const std::uint64_t eight = std::uint64_t{0x0101010101010101} * sample;
  for (int y = 0; y < kSize; ++y) std::memcpy(to + y * stride, &eight, kSize);
}

// Blocks of one value: kSize x kSize samples.
template <int kSize>
void Fill(const BlockPair& blocks, const QuantPair& quant, const BlockPlaces& to, Excess* excess) {
  const auto fill = [&](std::size_t at, std::uint8_t* place) {
    const int mean = blocks.values[at] * quant.values[at];
    // libjpeg's 1 x 1 form wraps where an excess of the others only begins; no picture has either.
    if (mean < -4000 || mean > 4000) excess->bits[0] = 1;
    FillBlock<kSize>(Sample((mean + 4) >> 3), place, to.stride);
  };
  fill(0, to.first);
  fill(8, to.second);
}

void Fill(int size, const BlockPair& blocks, const QuantPair& quant, const BlockPlaces& to,
          Excess* excess) {
  switch (size) {
    case 8:
      return Fill<8>(blocks, quant, to, excess);
    case 4:
      return Fill<4>(blocks, quant, to, excess);
    case 2:
      return Fill<2>(blocks, quant, to, excess);
    default:
      return Fill<1>(blocks, quant, to, excess);
  }
}

// The samples of four rows of a block; of two, in the lower half.
template <int kSize>
void StoreReduced(__m128i samples, std::uint8_t* to, std::ptrdiff_t stride) {
  const auto store = [to, stride](int y, int four) {
    std::memcpy(to + y * stride, &four, static_cast<std::size_t>(kSize));
  };
  store(0, _mm_extract_epi32(samples, 0));
  store(1, _mm_extract_epi32(samples, 1));
  if constexpr (kSize == 4) {
    store(2, _mm_extract_epi32(samples, 2));
    store(3, _mm_extract_epi32(samples, 3));
  }
}

// Those of two blocks of four rows beside each other.
void StoreBeside(__m128i first, __m128i second, std::uint8_t* to, std::ptrdiff_t stride) {
  const __m128d top = _mm_castsi128_pd(_mm_unpacklo_epi32(first, second));
  const __m128d bottom = _mm_castsi128_pd(_mm_unpackhi_epi32(first, second));
  _mm_storel_pd(reinterpret_cast<double*>(to), top);
  _mm_storeh_pd(reinterpret_cast<double*>(to + stride), top);
  _mm_storel_pd(reinterpret_cast<double*>(to + 2 * stride), bottom);
  _mm_storeh_pd(reinterpret_cast<double*>(to + 3 * stride), bottom);
}

template <int kSize, bool kIsQuarter>
void TransformReduced(const BlockPair& blocks, const QuantPair& quant, const BlockPlaces& to,
                      __m256i* excess) {
  // Halving the size once takes a bit more of each pass's scale.
  constexpr int kLess = kSize == 4 ? 1 : 2;
  constexpr int kUsed = kIsQuarter ? 4 : 8;
  const Rows in = Dequantized<kUsed, 4>(blocks, quant, excess);
  __m256i low[4], high[4];
  HalfReduced<false, kSize, kIsQuarter, kConstBits - kPassBits + kLess>(in, low);
  HalfReduced<true, kSize, kIsQuarter, kConstBits - kPassBits + kLess>(in, high);
  Rows rows;
  for (int i = 0; i < 4; ++i) {
    rows.r[i] = i < kSize ? _mm256_packs_epi32(low[i], high[i]) : _mm256_setzero_si256();
  }
  Check<kSize>(rows, excess);
  // There are no more than four rows: the lower pairs hold all of them.
  __m256i c[4];
  HalfReduced<false, kSize, kIsQuarter, kConstBits + kPassBits + 3 + kLess>(
      Transposed<4, kUsed>(rows), c);
  __m256i samples;
  if constexpr (kSize == 4) {
    const __m256i c02 = _mm256_packs_epi32(c[0], c[2]), c13 = _mm256_packs_epi32(c[1], c[3]);
    const __m256i c01 = _mm256_unpacklo_epi16(c02, c13), c23 = _mm256_unpackhi_epi16(c02, c13);
    samples = _mm256_packs_epi16(_mm256_unpacklo_epi32(c01, c23), _mm256_unpackhi_epi32(c01, c23));
  } else {
    const __m256i c01 = _mm256_packs_epi32(c[0], c[1]);
    const __m256i pairs = _mm256_unpacklo_epi16(c01, _mm256_srli_si256(c01, 8));
    // A row's two samples are a pair, and a row is to have four bytes.
    samples = _mm256_unpacklo_epi16(_mm256_packs_epi16(pairs, pairs), _mm256_setzero_si256());
  }
  samples = ToSamples(samples);
  const __m128i first = _mm256_castsi256_si128(samples);
  const __m128i second = _mm256_extracti128_si256(samples, 1);
  if (kSize == 4 && to.second == to.first + 4) {
    StoreBeside(first, second, to.first, to.stride);
    return;
  }
  StoreReduced<kSize>(first, to.first, to.stride);
  StoreReduced<kSize>(second, to.second, to.stride);
}

}  // namespace

void QuantPair::Set(const std::array<std::uint16_t, 64>& first,
                    const std::array<std::uint16_t, 64>& second) {
  for (std::uint8_t i = 0; i < 64; ++i) {
    for (const std::size_t side : {0, 1}) {
      const std::size_t at = PairPlace(i) + 8 * side;
      values[at] = (side == 0 ? first : second)[i];
      times4[at] = static_cast<std::uint16_t>(4 * values[at]);
    }
  }
}

bool Excess::Any() const {
  const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(bits.data()));
  return _mm256_testz_si256(all, all) == 0;
}

void TransformPair(int size, const BlockPair& blocks, const QuantPair& quant, int last,
                   const BlockPlaces& to, Excess* excess) {
  if (last == 0 || size == 1) {
    Fill(size, blocks, quant, to, excess);
    return;
  }
  auto* const bits = reinterpret_cast<__m256i*>(excess->bits.data());
  __m256i found = _mm256_load_si256(bits);
  if (size == 4) {
    if (last < kQuarter) {
      TransformReduced<4, true>(blocks, quant, to, &found);
    } else {
      TransformReduced<4, false>(blocks, quant, to, &found);
    }
  } else if (size == 2) {
    TransformReduced<2, false>(blocks, quant, to, &found);
  } else if (last < kQuarter) {
    Transform<true>(blocks, quant, to, &found);
  } else {
    Transform<false>(blocks, quant, to, &found);
  }
  _mm256_store_si256(bits, found);
}

}  // namespace dynjax

#endif
