#include "audio/fft_plan.h"

#include <cmath>
#include <numbers>

namespace dynjax {
namespace {

constexpr std::int32_t kRadices[] = {4, 2, 3, 5};

}  // namespace

Root RootOfUnity(std::int64_t numerator, std::int64_t denominator) {
  const double phase = -2 * std::numbers::pi * static_cast<double>(numerator % denominator) /
                       static_cast<double>(denominator);
  return {std::cos(phase), std::sin(phase)};
}

bool FftPlan::Serves(std::int64_t size) {
  if (size < 1) return false;
  for (const std::int32_t radix : kRadices) {
    while (size % radix == 0) size /= radix;
  }
  return size == 1;
}

FftPlan::FftPlan(std::int64_t size) : size_(size) {
  std::vector<std::size_t> starts;
  std::int64_t left = size, stride = 1;
  for (const std::int32_t radix : kRadices) {
    for (; left % radix == 0; left /= radix, stride *= radix) {
      const std::int64_t groups = left / radix;
      starts.push_back(twiddles_.size());
      stages_.push_back({.radix = radix, .groups = groups, .stride = stride});
      for (std::int64_t p = 0; p < groups; ++p) {
        for (std::int64_t k = 1; k < radix; ++k) {
          const Root root = RootOfUnity(p * k, left);
          twiddles_.push_back(static_cast<float>(root.re));
          twiddles_.push_back(static_cast<float>(root.im));
        }
      }
    }
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    stages_[s].twiddles = twiddles_.data() + starts[s];
  }
}

}  // namespace dynjax
