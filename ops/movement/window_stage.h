// Windows of the samples of a batch: crops, slices, flips.
#pragma once

#include <vector>

#include "base/stage.h"
#include "movement/element.h"

namespace dynjax {

struct WindowParameters {
  Element source = Element::kU8, target = Element::kU8;
  std::vector<int> axes;                // input axes that differ from the whole
  std::vector<int> perm;                // output axis a is input axis perm[a]
  std::span<const std::int32_t> table;  // [N, 2 * axes]: anchors, then steps
  std::span<const float> fill;          // [N, values]
  int fill_axis = -1;                   // input axis; -1: one value for all
};

class WindowStage final : public Stage {
 public:
  WindowStage(WindowParameters parameters, std::int64_t count);

  // What is wrong with the parameters for samples of `rank` axes; null: nothing.
  const char* Fault(std::size_t rank) const;

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  WindowParameters p_;
  std::size_t count_, values_ = 0;
  int fill_axis_ = -1;  // output axis
};

}  // namespace dynjax
