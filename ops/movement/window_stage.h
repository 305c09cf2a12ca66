// The windows of one sample as a stage of a chain.
#pragma once

#include <vector>

#include "base/stage.h"
#include "movement/element.h"
#include "movement/windows.h"

namespace dynjax {

struct WindowParameters {
  Element source = Element::kU8, target = Element::kU8;
  // As in Windows.
  std::vector<int> axes, perm;
  std::span<const std::int32_t> table;
  std::span<const float> fill;
  int fill_axis = -1;
};

class WindowStage final : public Stage {
 public:
  WindowStage(WindowParameters parameters, std::int64_t count);
  WindowStage(const WindowStage&) = delete;
  WindowStage& operator=(const WindowStage&) = delete;

  // What is wrong with the parameters for samples of `rank` axes; null: nothing.
  const char* Fault(std::size_t rank) const { return windows_.Fault(rank); }

  bool IsSound(std::int64_t i, Extent from, Extent to) const override;
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const override;

 private:
  const WindowParameters p_;
  const WindowReader windows_;  // of `p_`
};

}  // namespace dynjax
