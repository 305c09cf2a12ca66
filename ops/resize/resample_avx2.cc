#include "resize/resample_avx2.h"

#if defined(__AVX2__)

#include "base/load_avx2.h"
#include "resize/scalar_passes.h"

namespace dynjax {
namespace {

template <typename T>
void Blend(const void* const* rows, const float* weights, std::int32_t taps, std::int64_t n,
           float* out) {
  std::int64_t x = 0;
  for (; x + 32 <= n; x += 32) {
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
    for (std::int32_t t = 0; t < taps; ++t) {
      const T* row = static_cast<const T*>(rows[t]) + x;
      const __m256 w = _mm256_broadcast_ss(weights + t);
      a = _mm256_fmadd_ps(w, Load8(row), a);
      b = _mm256_fmadd_ps(w, Load8(row + 8), b);
      c = _mm256_fmadd_ps(w, Load8(row + 16), c);
      d = _mm256_fmadd_ps(w, Load8(row + 24), d);
    }
    _mm256_storeu_ps(out + x, a);
    _mm256_storeu_ps(out + x + 8, b);
    _mm256_storeu_ps(out + x + 16, c);
    _mm256_storeu_ps(out + x + 24, d);
  }
  for (; x + 8 <= n; x += 8) {
    __m256 sum = _mm256_setzero_ps();
    for (std::int32_t t = 0; t < taps; ++t) {
      sum = _mm256_fmadd_ps(_mm256_broadcast_ss(weights + t),
                            Load8(static_cast<const T*>(rows[t]) + x), sum);
    }
    _mm256_storeu_ps(out + x, sum);
  }
  ScalarBlend<T>(rows, weights, taps, x, n, out);
}

// Three or four channels: one pixel a vector. With three, the fourth lane reads the next pixel and
// is written over by the next output; the rows' slack covers the last one.
template <std::int32_t kTaps, std::int64_t kChannels, std::int32_t kRows>
void FilterPixels(const float* in, std::int64_t step, const TapsView& taps, float* out,
                  std::int64_t out_step) {
  const float* weights = taps.weights;
  for (std::int32_t o = 0; o < taps.out; ++o, weights += taps.width, out += kChannels) {
    const std::int32_t count = kTaps > 0 ? kTaps : taps.count[o];
    const float* pixel = in + taps.first[o] * kChannels;
    __m128 sums[kRows];
    for (auto& sum : sums) sum = _mm_setzero_ps();
    for (std::int32_t t = 0; t < count; ++t, pixel += kChannels) {
      const __m128 weight = _mm_broadcast_ss(weights + t);
      for (std::int32_t r = 0; r < kRows; ++r) {
        sums[r] = _mm_fmadd_ps(weight, _mm_loadu_ps(pixel + r * step), sums[r]);
      }
    }
    for (std::int32_t r = 0; r < kRows; ++r) _mm_storeu_ps(out + r * out_step, sums[r]);
  }
}

template <std::int64_t kChannels, std::int32_t kRows>
void FilterPixels(const float* in, std::int64_t step, const TapsView& taps, float* out,
                  std::int64_t out_step) {
  // Unrolled for the usual scales; a loop of unknown length costs a misprediction a pixel.
  switch (taps.uniform ? taps.width : 0) {
    case 2:
      return FilterPixels<2, kChannels, kRows>(in, step, taps, out, out_step);
    case 3:
      return FilterPixels<3, kChannels, kRows>(in, step, taps, out, out_step);
    case 4:
      return FilterPixels<4, kChannels, kRows>(in, step, taps, out, out_step);
    case 5:
      return FilterPixels<5, kChannels, kRows>(in, step, taps, out, out_step);
    case 6:
      return FilterPixels<6, kChannels, kRows>(in, step, taps, out, out_step);
    case 7:
      return FilterPixels<7, kChannels, kRows>(in, step, taps, out, out_step);
    default:
      return FilterPixels<0, kChannels, kRows>(in, step, taps, out, out_step);
  }
}

template <std::int64_t kChannels>
void FilterPixels(const float* in, std::int64_t step, std::int32_t rows, const TapsView& taps,
                  float* out, std::int64_t out_step) {
  static_assert(kRowBlock == 4);
  for (; rows >= 4; rows -= 4, in += 4 * step, out += 4 * out_step) {
    FilterPixels<kChannels, 4>(in, step, taps, out, out_step);
  }
  for (; rows > 0; --rows, in += step, out += out_step) {
    FilterPixels<kChannels, 1>(in, step, taps, out, out_step);
  }
}

// Any number of channels, eight at a time.
void FilterWide(const float* in, const TapsView& taps, std::int64_t channels, float* out) {
  for (std::int32_t o = 0; o < taps.out; ++o) {
    const float* weights = taps.weights + static_cast<std::int64_t>(o) * taps.width;
    const float* pixel = in + taps.first[o] * channels;
    std::int64_t c = 0;
    for (; c + 8 <= channels; c += 8) {
      __m256 sum = _mm256_setzero_ps();
      for (std::int32_t t = 0; t < taps.count[o]; ++t) {
        sum = _mm256_fmadd_ps(_mm256_broadcast_ss(weights + t),
                              _mm256_loadu_ps(pixel + t * channels + c), sum);
      }
      _mm256_storeu_ps(out + o * channels + c, sum);
    }
    ScalarFilter(in, taps, o, channels, c, channels, out);
  }
}

void Filter(const float* in, std::int64_t step, std::int32_t rows, const TapsView& taps,
            std::int64_t channels, float* out, std::int64_t out_step) {
  if (channels == 3) return FilterPixels<3>(in, step, rows, taps, out, out_step);
  if (channels == 4) return FilterPixels<4>(in, step, rows, taps, out, out_step);
  for (std::int32_t r = 0; r < rows; ++r) {
    FilterWide(in + r * step, taps, channels, out + r * out_step);
  }
}

constexpr RowPasses kAvx2{
    .blend = {Blend<std::uint8_t>, Blend<std::int8_t>, Blend<std::uint16_t>, Blend<std::int16_t>,
              Blend<std::uint32_t>, Blend<std::int32_t>, Blend<Half>, Blend<float>},
    .filter = Filter};

}  // namespace

const RowPasses& Avx2RowPasses() { return kAvx2; }

}  // namespace dynjax

#endif  // __AVX2__
