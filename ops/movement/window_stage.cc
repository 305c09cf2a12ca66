#include "movement/window_stage.h"

#include <algorithm>
#include <array>
#include <utility>

#include "movement/strided_copy.h"

namespace dynjax {
namespace {

bool AreAxes(std::span<const int> axes, std::size_t rank) {
  std::array<bool, kMaxRank> seen{};
  for (const int axis : axes) {
    if (axis < 0 || axis >= static_cast<int>(rank) ||
        std::exchange(seen[static_cast<std::size_t>(axis)], true)) {
      return false;
    }
  }
  return true;
}

}  // namespace

WindowStage::WindowStage(WindowParameters parameters, std::int64_t count)
    : p_(std::move(parameters)), count_(static_cast<std::size_t>(count)) {
  if (count_ > 0) values_ = p_.fill.size() / count_;
  const auto found = std::find(p_.perm.begin(), p_.perm.end(), p_.fill_axis);
  if (found != p_.perm.end()) fill_axis_ = static_cast<int>(found - p_.perm.begin());
}

const char* WindowStage::Fault(std::size_t rank) const {
  if (rank > kMaxRank || !AreAxes(p_.perm, rank) || !AreAxes(p_.axes, rank) || p_.fill_axis < -1 ||
      p_.fill_axis >= static_cast<int>(rank) || p_.table.size() != count_ * 2 * p_.axes.size() ||
      p_.fill.size() != count_ * values_) {
    return "want axes of the input, windows s32[n, 2 * axes] and fill values f32[n, k]";
  }
  return nullptr;
}

bool WindowStage::IsSound(std::int64_t /*i*/, Extent /*from*/, Extent to) const {
  return to.size() == p_.perm.size();
}

Status WindowStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  std::array<std::int64_t, kMaxRank> anchor{}, step;
  step.fill(1);
  const auto sample = static_cast<std::size_t>(i);
  const std::size_t cropped = p_.axes.size();
  const auto row = p_.table.subspan(sample * 2 * cropped, 2 * cropped);
  for (std::size_t k = 0; k < cropped; ++k) {
    anchor[static_cast<std::size_t>(p_.axes[k])] = row[k];
    step[static_cast<std::size_t>(p_.axes[k])] = row[cropped + k];
  }
  StridedCopy({from.data, p_.source, from.extent, from.strides},
              {to.data, p_.target, to.extent, to.strides},
              {p_.perm, anchor, step, p_.fill.subspan(sample * values_, values_), fill_axis_});
  return Status::Ok();
}

}  // namespace dynjax
