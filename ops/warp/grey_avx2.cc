#include "warp/grey_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "warp/scalar_sampler.h"

namespace dynjax {
namespace {

constexpr int kLanes = 8;

__m256i Between(__m256i value, std::int32_t low, std::int32_t high) {
  return _mm256_min_epi32(_mm256_max_epi32(value, _mm256_set1_epi32(low)), _mm256_set1_epi32(high));
}

// low <= value < high
__m256i IsBetween(__m256i value, std::int32_t low, std::int32_t high) {
  return _mm256_and_si256(_mm256_cmpgt_epi32(value, _mm256_set1_epi32(low - 1)),
                          _mm256_cmpgt_epi32(_mm256_set1_epi32(high), value));
}

// Along one axis: the first of the two pixels that each position reads, and the share of the other.
struct Axis {
  __m256i first;
  __m256 share;

  // NaN goes to the left, as in SettleScalar.
  static Axis At(const float* position) {
    const __m256 p = _mm256_sub_ps(_mm256_loadu_ps(position), _mm256_set1_ps(0.5f));
    const __m256 centre =
        _mm256_min_ps(_mm256_max_ps(p, _mm256_set1_ps(-kFar)), _mm256_set1_ps(kFar));
    const __m256 whole = _mm256_floor_ps(centre);
    return {_mm256_cvttps_epi32(whole), _mm256_sub_ps(centre, whole)};
  }

  // As in Corners::SetClamped: NaN gives 0.
  static Axis Clamped(const float* position, std::int32_t n) {
    const __m256 p = _mm256_sub_ps(_mm256_loadu_ps(position), _mm256_set1_ps(0.5f));
    const __m256 centre = _mm256_min_ps(_mm256_max_ps(p, _mm256_setzero_ps()),
                                        _mm256_set1_ps(static_cast<float>(n - 1)));
    const __m256i first =
        _mm256_min_epi32(_mm256_cvttps_epi32(centre), _mm256_set1_epi32(std::max(n - 2, 0)));
    return {first, _mm256_sub_ps(centre, _mm256_cvtepi32_ps(first))};
  }
};

struct Reader {
  const int* data;
  std::int32_t width, height, stride, last;  // of `last`, four bytes can be read

  // The bytes of a row from the pixels `x` on, of which two are in the picture.
  __m256i Pairs(__m256i x, __m256i y) const {
    const __m256i offset = _mm256_add_epi32(_mm256_mullo_epi32(y, _mm256_set1_epi32(stride)), x);
    const __m256i start = _mm256_min_epi32(offset, _mm256_set1_epi32(last));
    const __m256i shift = _mm256_slli_epi32(_mm256_sub_epi32(offset, start), 3);
    return _mm256_srlv_epi32(_mm256_i32gather_epi32(data, start, 1), shift);
  }
};

__m256 ByteAt(__m256i bytes, __m256i number) {
  const __m256i byte = _mm256_srlv_epi32(bytes, _mm256_slli_epi32(number, 3));
  return _mm256_cvtepi32_ps(_mm256_and_si256(byte, _mm256_set1_epi32(255)));
}

__m256 Filled(__m256 value, __m256i inside, __m256 fill) {
  return _mm256_blendv_ps(fill, value, _mm256_castsi256_ps(inside));
}

// Eight pixels, as integers from 0 to 255.
template <bool kConstant>
__m256i Eight(const Reader& from, __m256 fill, const float* px, const float* py) {
  const Axis x = kConstant ? Axis::At(px) : Axis::Clamped(px, from.width);
  const Axis y = kConstant ? Axis::At(py) : Axis::Clamped(py, from.height);
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i column = Between(x.first, 0, from.width - 2);
  const __m256i upper = from.Pairs(column, Between(y.first, 0, from.height - 1));
  const __m256i lower =
      from.Pairs(column, Between(_mm256_add_epi32(y.first, one), 0, from.height - 1));
  const __m256i left = _mm256_sub_epi32(x.first, column), right = _mm256_add_epi32(left, one);
  __m256 a = ByteAt(upper, left), b = ByteAt(upper, right);
  __m256 c = ByteAt(lower, left), d = ByteAt(lower, right);
  if constexpr (kConstant) {
    const __m256i in_left = IsBetween(x.first, 0, from.width);
    const __m256i in_right = IsBetween(x.first, -1, from.width - 1);
    const __m256i in_upper = IsBetween(y.first, 0, from.height);
    const __m256i in_lower = IsBetween(y.first, -1, from.height - 1);
    a = Filled(a, _mm256_and_si256(in_left, in_upper), fill);
    b = Filled(b, _mm256_and_si256(in_right, in_upper), fill);
    c = Filled(c, _mm256_and_si256(in_left, in_lower), fill);
    d = Filled(d, _mm256_and_si256(in_right, in_lower), fill);
  }
  a = _mm256_fmadd_ps(_mm256_sub_ps(c, a), y.share, a);
  b = _mm256_fmadd_ps(_mm256_sub_ps(d, b), y.share, b);
  const __m256 value = _mm256_fmadd_ps(_mm256_sub_ps(b, a), x.share, a);
  const __m256 bounded =
      _mm256_min_ps(_mm256_max_ps(value, _mm256_setzero_ps()), _mm256_set1_ps(255));
  return _mm256_cvttps_epi32(_mm256_add_ps(bounded, _mm256_set1_ps(kBelowHalf)));
}

template <bool kConstant>
void Row(const Reader& from, __m256 fill, const Positions& at, std::uint8_t* out) {
  const auto eight = [&](const float* x, const float* y, std::uint8_t* pixels) {
    const __m256i v = Eight<kConstant>(from, fill, x, y);
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(pixels), _mm_packus_epi16(words, words));
  };
  const std::size_t count = at.x.size();
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) eight(at.x.data() + i, at.y.data() + i, out + i);
  if (i == count) return;
  float x[kLanes] = {}, y[kLanes] = {};
  std::uint8_t pixels[kLanes];
  std::copy_n(at.x.data() + i, count - i, x);
  std::copy_n(at.y.data() + i, count - i, y);
  eight(x, y, pixels);
  std::memcpy(out + i, pixels, count - i);
}

}  // namespace

bool Avx2GreyRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                 std::uint8_t* out) {
  const std::int32_t height = picture.extent[1], width = picture.extent[2];
  const std::int64_t bytes = (height - 1) * picture.strides[1] + width;
  const bool constant = sampling.edge == Edge::kConstant;
  const float fill = constant ? FillOf(sampling, 0) : 0.0f;
  // Offsets are counted in 32 bits, and four bytes are read for two.
  if (width < 2 || bytes < 4 || bytes > INT32_MAX || picture.strides[1] > INT32_MAX ||
      !std::isfinite(fill)) {
    return false;
  }
  const Reader from{reinterpret_cast<const int*>(picture.data), width, height,
                    static_cast<std::int32_t>(picture.strides[1]),
                    static_cast<std::int32_t>(bytes - 4)};
  if (constant) {
    Row<true>(from, _mm256_set1_ps(fill), at, out);
  } else {
    Row<false>(from, _mm256_setzero_ps(), at, out);
  }
  return true;
}

}  // namespace dynjax

#else

namespace dynjax {

bool Avx2GreyRow(const Picture&, const Sampling&, const Positions&, std::uint8_t*) { return false; }

}  // namespace dynjax

#endif
