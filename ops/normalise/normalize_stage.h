// Cropping, flipping and normalising the samples of a batch.
#pragma once

#include <vector>

#include "base/convert.h"
#include "base/stage.h"

namespace dynjax {

struct NormalizeParameters {
  Pixel source = Pixel::kU8, target = Pixel::kF32;
  std::vector<int> axes;  // those that the window crops
  std::vector<int> perm;  // output axis a is input axis perm[a]
  int channel_axis = -1, mirror_axis = -1;
  std::span<const std::int32_t> window;  // [N, axes + 1]: anchors, whether it is mirrored
  std::span<const float> scale;          // [N, 2 * channels + 1]: means, factors, shift
  std::span<const float> fill;           // [N, channels of the result]
};

class NormalizeStage final : public Stage {
 public:
  NormalizeStage(NormalizeParameters parameters, std::int64_t count);

  // What is wrong with the parameters for samples of `rank` axes; null: nothing.
  const char* Fault(std::size_t rank) const;

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  NormalizeParameters p_;
  std::size_t count_, channels_ = 1, filled_ = 0;  // of the input, of the result
};

}  // namespace dynjax
