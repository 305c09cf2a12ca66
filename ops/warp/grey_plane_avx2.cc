#include "warp/grey_plane_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "warp/scalar_sampler.h"

namespace dynjax {
namespace {

constexpr std::int32_t kLanes = 8;
// Pairs of pixels that a copy of the picture may have.
constexpr std::int64_t kMaxPairs = std::int64_t{1} << 16;

// The picture with what is read about it, so that no position needs a closer look. Each pixel has
// the one below it beside it: the four pixels about a position are four bytes in a row.
class BorderedPairs {
 public:
  // With `constant` the border is `fill`, else the nearest pixel.
  BorderedPairs(const Picture& picture, bool constant, std::uint8_t fill)
      : height_(picture.extent[1]),
        width_(picture.extent[2]),
        stride_(width_ + kBefore + kBehind),
        pairs_(new (std::nothrow) std::uint16_t[static_cast<std::size_t>(PairsOf(picture))]) {
    if (pairs_ == nullptr) return;
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(picture.data);
    const std::vector<std::uint8_t> outside(static_cast<std::size_t>(constant ? width_ : 0), fill);
    const auto row = [&](std::int32_t y) {
      if (constant && (y < 0 || y >= height_)) return outside.data();
      return pixels + std::clamp(y, 0, height_ - 1) * picture.strides[1];
    };
    for (std::int32_t y = -kBefore; y <= height_; ++y) {
      const std::uint8_t *upper = row(y), *lower = row(y + 1);
      std::uint16_t* out = pairs_.get() + (y + kBefore) * stride_ + kBefore;
      for (std::int32_t x = 0; x < width_; ++x) out[x] = Pair(upper[x], lower[x]);
      const std::uint16_t beyond = Pair(fill, fill);
      std::fill_n(out - kBefore, kBefore, constant ? beyond : out[0]);
      std::fill_n(out + width_, kBehind, constant ? beyond : out[width_ - 1]);
    }
  }

  static std::int64_t PairsOf(const Picture& picture) {
    return (std::int64_t{picture.extent[1]} + kBefore + 1) *
           (std::int64_t{picture.extent[2]} + kBefore + kBehind);
  }

  bool exists() const { return pairs_ != nullptr; }
  std::int32_t stride() const { return stride_; }
  // The pair of the pixel (0, 0).
  const int* origin() const {
    return reinterpret_cast<const int*>(pairs_.get() + kBefore * stride_ + kBefore);
  }

 private:
  static constexpr std::int32_t kBefore = 1, kBehind = 2;

  static std::uint16_t Pair(std::uint8_t upper, std::uint8_t lower) {
    return static_cast<std::uint16_t>(upper | lower << 8);
  }

  std::int32_t height_, width_, stride_;
  std::unique_ptr<std::uint16_t[]> pairs_;
};

// One coordinate of the positions: offset + down[row] + across[column], each product rounded before
// it is added, as in Warp.
struct Coordinate {
  Coordinate(const float* row, std::int32_t height, std::int32_t width)
      : offset(row[2]), down(Products(row[1], height)), across(Products(row[0], width)) {}

  static std::vector<float> Products(float slope, std::int32_t count) {
    std::vector<float> products(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
      products[static_cast<std::size_t>(i)] = slope * (static_cast<float>(i) + 0.5f);
    }
    return products;
  }
  float start(std::int32_t row) const { return offset + down[static_cast<std::size_t>(row)]; }

  float offset;
  std::vector<float> down, across;
};

// A coordinate's positions, brought to where pixels are; NaN goes to `low`.
struct Axis {
  __m256 first, share;

  Axis(float start, const float* across, float low, float high) {
    const __m256 p = _mm256_add_ps(_mm256_set1_ps(start), _mm256_loadu_ps(across));
    const __m256 centre = _mm256_sub_ps(p, _mm256_set1_ps(0.5f));
    const __m256 within =
        _mm256_min_ps(_mm256_max_ps(centre, _mm256_set1_ps(low)), _mm256_set1_ps(high));
    first = _mm256_floor_ps(within);
    share = _mm256_sub_ps(within, first);
  }
};

__m256 Byte(__m256i words, int number) {
  const __m256i byte = _mm256_srli_epi32(words, 8 * number);
  return _mm256_cvtepi32_ps(_mm256_and_si256(byte, _mm256_set1_epi32(255)));
}

// Eight pixels, as bytes.
__m128i Eight(const BorderedPairs& from, const Axis& x, const Axis& y) {
  const __m256 stride = _mm256_set1_ps(static_cast<float>(from.stride()));
  const __m256i place = _mm256_cvttps_epi32(_mm256_fmadd_ps(y.first, stride, x.first));
  const __m256i four = _mm256_i32gather_epi32(from.origin(), place, 2);
  const __m256 a = Byte(four, 0), c = Byte(four, 1), b = Byte(four, 2), d = Byte(four, 3);
  const __m256 left = _mm256_fmadd_ps(_mm256_sub_ps(c, a), y.share, a);
  const __m256 right = _mm256_fmadd_ps(_mm256_sub_ps(d, b), y.share, b);
  const __m256 value = _mm256_fmadd_ps(_mm256_sub_ps(right, left), x.share, left);
  const __m256i whole = _mm256_cvttps_epi32(_mm256_add_ps(value, _mm256_set1_ps(kBelowHalf)));
  const __m128i words =
      _mm_packus_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
  return _mm_packus_epi16(words, words);
}

}  // namespace

bool Avx2WarpGreyPlane(const Picture& source, const Canvas& canvas, const WarpMap& map,
                       const Sampling& sampling) {
  const bool constant = sampling.edge == Edge::kConstant;
  if (source.type != Pixel::kU8 || canvas.type != Pixel::kU8 || source.channels != 1 ||
      source.strides[2] != 1 || canvas.strides[2] != 1 || map.dimensions != 2 || map.perspective ||
      sampling.interpolation != Interpolation::kLinear ||
      (!constant && sampling.edge != Edge::kClamp)) {
    return false;
  }
  const std::int64_t pixels = std::int64_t{canvas.extent[1]} * canvas.extent[2];
  const float fill = constant ? FillOf(sampling, 0) : 0.0f;
  // A copy has to be worth it, and to hold the fill value.
  if (BorderedPairs::PairsOf(source) > std::min(kMaxPairs, 4 * pixels) || !(fill >= 0) ||
      fill > 255 || fill != static_cast<float>(static_cast<std::uint8_t>(fill))) {
    return false;
  }
  const BorderedPairs from(source, constant, static_cast<std::uint8_t>(fill));
  if (!from.exists()) return false;
  // Beyond them only the border is read.
  const float low = constant ? -1.0f : 0.0f;
  const float high_x = static_cast<float>(source.extent[2] - (constant ? 0 : 1));
  const float high_y = static_cast<float>(source.extent[1] - (constant ? 0 : 1));
  const std::int32_t height = canvas.extent[1], width = canvas.extent[2];
  // The last eight of a row end with it; a row of less is worked on as if it had eight.
  const std::int32_t columns = std::max(width, kLanes);
  const Coordinate x(map.entries.data(), height, columns);
  const Coordinate y(map.entries.data() + 3, height, columns);
  for (std::int32_t j = 0; j < height; ++j) {
    auto* row = reinterpret_cast<std::uint8_t*>(canvas.data) + j * canvas.strides[1];
    const float start_x = x.start(j), start_y = y.start(j);
    const auto eight = [&](std::int32_t i) {
      return Eight(from, Axis(start_x, x.across.data() + i, low, high_x),
                   Axis(start_y, y.across.data() + i, low, high_y));
    };
    if (width < kLanes) {
      const std::int64_t bytes = _mm_cvtsi128_si64(eight(0));
      std::memcpy(row, &bytes, static_cast<std::size_t>(width));
      continue;
    }
    for (std::int32_t i = 0; i < width; i += kLanes) {
      const std::int32_t first = std::min(i, width - kLanes);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(row + first), eight(first));
    }
  }
  return true;
}

}  // namespace dynjax

#else

namespace dynjax {

bool Avx2WarpGreyPlane(const Picture&, const Canvas&, const WarpMap&, const Sampling&) {
  return false;
}

}  // namespace dynjax

#endif
