// Warping the samples of a batch.
#pragma once

#include <vector>

#include "base/convert.h"
#include "base/stage.h"
#include "warp/frames.h"
#include "warp/sampler.h"

namespace dynjax {

struct WarpParameters {
  Pixel source = Pixel::kU8, target = Pixel::kU8;
  std::vector<std::int64_t> axes;  // of the picture or volume
  std::int32_t interp = 0, border = 0;
  bool perspective = false, channel_first = false;
  std::span<const float> maps;  // [N, maps of a sample * entries of a map]
  std::span<const float> fill;  // [N, 1 or channels]
};

class WarpStage final : public Stage {
 public:
  // For `count` samples of `rank` axes.
  WarpStage(const WarpParameters& parameters, std::int64_t count, std::size_t rank);

  // What is wrong with the parameters; null: nothing.
  const char* Fault() const { return fault_; }

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  const char* FindFault(std::size_t rank);
  std::span<const float> FillOf(std::int64_t i) const;

  WarpParameters p_;
  std::int64_t count_;
  PictureAxes axes_;
  std::int64_t entries_ = 1, maps_per_sample_ = 1;
  const char* fault_;
};

}  // namespace dynjax
