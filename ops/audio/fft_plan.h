// What a Fourier transform of some length needs to know, worked out once.
#pragma once

#include <cstdint>
#include <vector>

namespace dynjax {

// One pass over the data: `groups * stride` butterflies of `radix` elements.
struct FftStage {
  std::int32_t radix = 0;
  std::int64_t groups = 0, stride = 0;
  // exp(-2 pi i p k / (radix groups)) for each group p and k = 1 .. radix - 1, real and imaginary.
  const float* twiddles = nullptr;
};

struct FftView {
  std::int64_t size = 0;
  const FftStage* stages = nullptr;
  std::int32_t count = 0;
};

// A transform whose length has no prime factors but 2, 3 and 5.
class FftPlan {
 public:
  static bool Serves(std::int64_t size);
  explicit FftPlan(std::int64_t size);
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;

  FftView view() const {
    return {size_, stages_.data(), static_cast<std::int32_t>(stages_.size())};
  }

 private:
  std::int64_t size_;
  std::vector<FftStage> stages_;
  std::vector<float> twiddles_;
};

// exp(-2 pi i numerator / denominator), the phase reduced in whole numbers.
struct Root {
  double re = 1, im = 0;
};
Root RootOfUnity(std::int64_t numerator, std::int64_t denominator);

}  // namespace dynjax
