#include "warp/sampler_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "warp/scalar_sampler.h"

namespace dynjax {
namespace {

constexpr int kChannels = 3;

// The bytes between a picture's first and the end of its last pixel.
std::int64_t BytesOf(const Picture& picture) {
  return (picture.extent[1] - 1) * picture.strides[1] + std::int64_t{kChannels} * picture.extent[2];
}

// Eight bytes that begin with two pixels; `kSafe` says that they are there. Near the picture's end
// they are read from before it.
template <bool kSafe>
__m256 PairAt(const std::uint8_t* data, std::int64_t offset, std::int64_t last) {
  std::uint64_t bytes = 0;
  if constexpr (kSafe) {
    std::memcpy(&bytes, data + offset, sizeof(bytes));
  } else {
    const std::int64_t start = std::min(offset, last);
    std::memcpy(&bytes, data + start, sizeof(bytes));
    bytes >>= (offset - start) * 8;
  }
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(bytes))));
}

struct Source {
  const std::uint8_t* data;
  std::int64_t stride, down, last;
};

// The three channels of one pixel, and a fourth value that means nothing, as integers.
template <bool kSafe>
__m128i Blended(const Source& from, const Corners& corners, int i) {
  const std::int64_t offset = corners.y[i] * from.stride + corners.x[i] * kChannels;
  const __m256 upper = PairAt<kSafe>(from.data, offset, from.last);
  const __m256 lower = PairAt<kSafe>(from.data, offset + from.down, from.last);
  const __m256 along = _mm256_broadcast_ss(corners.lower + i);
  const __m256 both = _mm256_fmadd_ps(_mm256_sub_ps(lower, upper), along, upper);
  const __m256i right = _mm256_setr_epi32(3, 4, 5, 6, 3, 4, 5, 6);
  const __m128 left = _mm256_castps256_ps128(both);
  const __m128 other = _mm256_castps256_ps128(_mm256_permutevar8x32_ps(both, right));
  const __m128 value =
      _mm_fmadd_ps(_mm_sub_ps(other, left), _mm_broadcast_ss(corners.right + i), left);
  // Half up: the values are between 0 and 255.
  return _mm_cvttps_epi32(_mm_add_ps(value, _mm_set1_ps(kBelowHalf)));
}

// A block whose corners all lie inside.
template <bool kSafe>
void Block(const Source& from, const Corners& corners, int count, std::uint8_t* out) {
  const __m128i dense = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  std::uint8_t pixels[kChannels * kBlock + 4];  // a store of 16 bytes holds four pixels
  for (int i = 0; i < count; i += 4) {
    __m128i four[4];
    for (int k = 0; k < 4; ++k) {
      // Beyond the end the last pixel is computed again.
      four[k] = Blended<kSafe>(from, corners, std::min(i + k, count - 1));
    }
    const __m128i bytes =
        _mm_packus_epi16(_mm_packus_epi32(four[0], four[1]), _mm_packus_epi32(four[2], four[3]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels + kChannels * i),
                     _mm_shuffle_epi8(bytes, dense));
  }
  std::memcpy(out, pixels, static_cast<std::size_t>(kChannels * count));
}

// NaN goes to the left.
__m256 Finite8(__m256 position) {
  return _mm256_min_ps(_mm256_max_ps(position, _mm256_set1_ps(-kFar)), _mm256_set1_ps(kFar));
}

// The pixel numbers of eight positions.
__m256i Numbers(const float* position) {
  return _mm256_cvttps_epi32(_mm256_floor_ps(Finite8(_mm256_loadu_ps(position))));
}

// As SettleScalar.
void Settle(const float* p, int count, std::int32_t* first, float* share) {
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 centre = Finite8(_mm256_sub_ps(_mm256_loadu_ps(p + i), _mm256_set1_ps(0.5f)));
    const __m256 whole = _mm256_floor_ps(centre);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(first + i), _mm256_cvttps_epi32(whole));
    _mm256_storeu_ps(share + i, _mm256_sub_ps(centre, whole));
  }
  SettleScalar(p + i, count - i, first + i, share + i);
}

__m256i Clamped(__m256i number, std::int32_t extent) {
  return _mm256_min_epi32(_mm256_max_epi32(number, _mm256_setzero_si256()),
                          _mm256_set1_epi32(extent - 1));
}

}  // namespace

bool Avx2LinearRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                   std::uint8_t* out) {
  const std::int64_t bytes = BytesOf(picture);
  if (picture.extent[2] < 2 || bytes < 8) return false;
  const auto* data = reinterpret_cast<const std::uint8_t*>(picture.data);
  const std::int32_t near_end = picture.extent[1] - 2;
  const auto all_inside = [&](const View<std::uint8_t>&, const Corners& corners, int count,
                              std::int64_t, std::int64_t down, std::uint8_t* to) {
    const Source from{data, picture.strides[1], down, bytes - 8};
    std::int32_t lowest = 0;
    for (int i = 0; i < count; ++i) lowest = std::max(lowest, corners.y[i]);
    if (lowest < near_end) {
      Block<true>(from, corners, count, to);
    } else {
      Block<false>(from, corners, count, to);
    }
  };
  LinearRow<std::uint8_t, std::uint8_t, kChannels>(picture, sampling, at, out, kChannels, Settle,
                                                   all_inside);
  return true;
}

bool Avx2NearestRow(const Picture& picture, const Sampling& sampling, const Positions& at,
                    std::uint8_t* out) {
  const std::int64_t bytes = BytesOf(picture);
  const auto count = static_cast<std::int64_t>(at.x.size());
  // Offsets are counted in 32 bits, and four bytes are read for three.
  if (bytes < 4 || bytes > INT32_MAX || picture.strides[1] > INT32_MAX) return false;
  const auto* data = reinterpret_cast<const int*>(picture.data);
  const std::int32_t height = picture.extent[1], width = picture.extent[2];
  const __m256i stride = _mm256_set1_epi32(static_cast<std::int32_t>(picture.strides[1]));
  const __m256i last = _mm256_set1_epi32(static_cast<std::int32_t>(bytes - 4));
  const bool clamps = sampling.edge == Edge::kClamp;
  std::uint32_t filled = 0;
  for (int c = 0; c < kChannels; ++c) {
    filled |= std::uint32_t{FromFloat<std::uint8_t>(FillOf(sampling, c))} << (8 * c);
  }
  const __m256i fill = _mm256_set1_epi32(static_cast<std::int32_t>(filled));
  const __m256i dense = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  const auto eight = [&](const float* px, const float* py, std::uint8_t* pixels) {
    const __m256i x = Numbers(px), y = Numbers(py);
    const __m256i cx = Clamped(x, width), cy = Clamped(y, height);
    const __m256i offset = _mm256_add_epi32(_mm256_mullo_epi32(cy, stride),
                                            _mm256_add_epi32(cx, _mm256_add_epi32(cx, cx)));
    // The very last pixel is read from one byte before it.
    const __m256i start = _mm256_min_epi32(offset, last);
    const __m256i shift = _mm256_slli_epi32(_mm256_sub_epi32(offset, start), 3);
    __m256i value = _mm256_srlv_epi32(_mm256_i32gather_epi32(data, start, 1), shift);
    if (!clamps) {
      const __m256i inside = _mm256_and_si256(_mm256_cmpeq_epi32(x, cx), _mm256_cmpeq_epi32(y, cy));
      value = _mm256_blendv_epi8(fill, value, inside);
    }
    value = _mm256_shuffle_epi8(value, dense);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels), _mm256_castsi256_si128(value));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pixels + 12), _mm256_extracti128_si256(value, 1));
  };
  const float *x = at.x.data(), *y = at.y.data();
  std::int64_t i = 0;
  // A store of 28 bytes may be followed by whatever the next one overwrites, but not at the end.
  for (; i + 10 <= count; i += 8) eight(x + i, y + i, out + kChannels * i);
  for (; i < count; i += 8) {
    const auto rest = static_cast<std::size_t>(std::min<std::int64_t>(count - i, 8));
    float px[8] = {}, py[8] = {};
    std::copy_n(x + i, rest, px);
    std::copy_n(y + i, rest, py);
    std::uint8_t pixels[kChannels * 8 + 4];
    eight(px, py, pixels);
    std::memcpy(out + kChannels * i, pixels, kChannels * rest);
  }
  return true;
}

}  // namespace dynjax

#else

namespace dynjax {

bool Avx2LinearRow(const Picture&, const Sampling&, const Positions&, std::uint8_t*) {
  return false;
}
bool Avx2NearestRow(const Picture&, const Sampling&, const Positions&, std::uint8_t*) {
  return false;
}

}  // namespace dynjax

#endif
