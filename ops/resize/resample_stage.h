// Resampling of the samples of a batch.
#pragma once

#include <vector>

#include "base/convert.h"
#include "base/stage.h"
#include "resize/filters.h"

namespace dynjax {

struct ResampleParameters {
  Pixel source = Pixel::kU8, target = Pixel::kU8;
  std::vector<int> axes;
  std::span<const float> roi;            // [N, 2 * axes]: start and end along each axis
  std::span<const std::int32_t> filter;  // [N, axes]
  bool antialias = true;
  std::int32_t border = 0;
};

class ResampleStage final : public Stage {
 public:
  explicit ResampleStage(ResampleParameters parameters) : p_(std::move(parameters)) {}

  // What is wrong with the parameters for `count` samples of `rank` axes; null: nothing.
  const char* Fault(std::int64_t count, std::size_t rank) const;

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  // kTooLarge: no memory for the weights.
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  ResampleParameters p_;
};

}  // namespace dynjax
