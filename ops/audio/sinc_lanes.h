// The kernels of sinc.h, compiled once per target. See lanes.h about linkage.
#pragma once

#include "audio/lanes.h"
#include "audio/sinc.h"

namespace dynjax {
namespace {

constexpr int kFractionBits = 48, kPhaseBits = 5;
static_assert(1 << kPhaseBits == kSincPhases);

// Eight partial sums of one result.
inline void Convolve(const float* x, const SincWindow& window, std::uint64_t fraction, Lanes& sum) {
  constexpr int kShift = kFractionBits - kPhaseBits;
  const float* near = window.weights + static_cast<std::int64_t>(fraction >> kShift) * window.width;
  const float* far = near + window.width;
  const std::uint64_t rest = fraction & ((std::uint64_t{1} << kShift) - 1);
  const float part = static_cast<float>(static_cast<std::int64_t>(rest)) * 0x1p-43f;
  Lanes a = {}, b = {};
  for (std::int64_t n = 0; n < window.width; n += kLanes) {
    Lanes value, near_weights, far_weights;
    Load(x + n, value);
    Load(near + n, near_weights);
    Load(far + n, far_weights);
    a += value * near_weights;
    b += value * far_weights;
  }
  sum = a + (b - a) * part;
}

inline void ResampleBySinc(const float* x, std::int64_t length, const SincWindow& window,
                           const SincStep& step, std::int64_t count, float* out) {
  const float* first = x - (window.lobes - 1);
  std::int64_t whole = 0;
  std::uint64_t fraction = 0;
  for (std::int64_t k = 0; k < count; k += kLanes) {
    Lanes sums[kLanes];
    for (int j = 0; j < kLanes; ++j) {
      // Beyond the end all is zero.
      Convolve(first + (whole < length ? whole : length), window, fraction, sums[j]);
      fraction += step.fraction;
      whole += step.whole + static_cast<std::int64_t>(fraction >> kFractionBits);
      fraction &= (std::uint64_t{1} << kFractionBits) - 1;
    }
    Transpose(sums);
    const Lanes total =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    const std::int64_t left = count - k;
    std::memcpy(out + k, &total,
                static_cast<std::size_t>(left < kLanes ? left : kLanes) * sizeof(float));
  }
}

constexpr SincKernels kOwnSincKernels = {ResampleBySinc};

}  // namespace
}  // namespace dynjax
