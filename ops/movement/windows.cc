#include "movement/windows.h"

#include <algorithm>

#include "movement/array_view.h"

namespace dynjax {
WindowReader::WindowReader(const Windows& windows, std::int64_t count)
    : windows_(windows),
      count_(static_cast<std::size_t>(count)),
      values_(count > 0 ? windows.fill.size() / count_ : 0) {
  const auto found = std::find(windows.perm.begin(), windows.perm.end(), windows.fill_axis);
  if (found != windows.perm.end()) fill_axis_ = static_cast<int>(found - windows.perm.begin());
}

const char* WindowReader::Fault(std::size_t rank) const {
  if (rank > kMaxRank || !AreAxes(windows_.perm, rank) || !AreAxes(windows_.axes, rank) ||
      windows_.fill_axis >= static_cast<int>(rank) || windows_.fill_axis < -1) {
    return "want axes of the input, each at most once, and as many in perm as the result has";
  }
  if (windows_.table.size() != count_ * 2 * windows_.axes.size() ||
      windows_.fill.size() != count_ * values_) {
    return "want windows s32[n, 2 * axes] and fill values f32[n, k]";
  }
  return nullptr;
}

Window WindowReader::Of(std::int64_t sample) const {
  const auto i = static_cast<std::size_t>(sample);
  const std::size_t cropped = windows_.axes.size();
  const auto row = windows_.table.subspan(i * 2 * cropped, 2 * cropped);
  Window window{.anchor = {}, .step = {}, .fill = windows_.fill.subspan(i * values_, values_)};
  window.step.fill(1);
  for (std::size_t k = 0; k < cropped; ++k) {
    const auto axis = static_cast<std::size_t>(windows_.axes[k]);
    window.anchor[axis] = row[k];
    window.step[axis] = row[cropped + k];
  }
  return window;
}

}  // namespace dynjax
