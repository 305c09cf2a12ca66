#include "normalise/normalize_stage.h"

#include <algorithm>
#include <array>
#include <utility>

#include "normalise/crop_mirror_normalize.h"

namespace dynjax {
namespace {

// More would be a count that wrapped around.
constexpr std::size_t kMaxChannels = std::size_t{1} << 31;

bool IsPermutation(std::span<const int> perm, std::size_t rank) {
  if (perm.size() != rank || rank > kMaxRank) return false;
  std::array<bool, kMaxRank> seen{};
  for (const int axis : perm) {
    if (axis < 0 || axis >= static_cast<int>(rank)) return false;
    if (std::exchange(seen[static_cast<std::size_t>(axis)], true)) return false;
  }
  return true;
}

}  // namespace

NormalizeStage::NormalizeStage(NormalizeParameters parameters, std::int64_t count)
    : p_(std::move(parameters)), count_(static_cast<std::size_t>(count)) {
  if (count_ == 0) return;
  channels_ = (p_.scale.size() / count_ - 1) / 2;
  filled_ = p_.fill.size() / count_;
}

const char* NormalizeStage::Fault(std::size_t rank) const {
  const auto known = [&](int axis) { return axis >= 0 && axis < static_cast<int>(rank); };
  if (!IsPermutation(p_.perm, rank) || !std::all_of(p_.axes.begin(), p_.axes.end(), known) ||
      !(p_.channel_axis == -1 || known(p_.channel_axis)) ||
      !(p_.mirror_axis == -1 || known(p_.mirror_axis)) ||
      p_.window.size() != count_ * (p_.axes.size() + 1) || channels_ < 1 ||
      channels_ > kMaxChannels || p_.scale.size() != count_ * (2 * channels_ + 1) ||
      p_.fill.size() % std::max<std::size_t>(count_, 1) != 0 || (count_ > 0 && filled_ == 0) ||
      (p_.channel_axis == -1 && channels_ != 1)) {
    return "want perm of the axes, window s32[n, axes + 1], scale f32[n, 2 * channels + 1], "
           "fill f32[n, output channels]";
  }
  return nullptr;
}

bool NormalizeStage::IsSound(std::int64_t /*i*/, Extent from, Extent to) const {
  if (from.size() != p_.perm.size() || to.size() != p_.perm.size()) return false;
  for (std::size_t a = 0; a < p_.perm.size(); ++a) {
    const int axis = p_.perm[a];
    const std::int32_t in = from[static_cast<std::size_t>(axis)];
    if (axis == p_.channel_axis) {
      // Of a target larger than its source, the rest is padding; a smaller one loses channels.
      if (in != static_cast<std::int32_t>(channels_) || to[a] < in ||
          to[a] != static_cast<std::int32_t>(filled_)) {
        return false;
      }
    } else if (std::find(p_.axes.begin(), p_.axes.end(), axis) == p_.axes.end() && to[a] != in) {
      return false;
    }
  }
  return true;
}

Status NormalizeStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  std::array<std::int32_t, kMaxRank> anchor{};
  const auto sample = static_cast<std::size_t>(i);
  const std::int32_t* row = p_.window.data() + sample * (p_.axes.size() + 1);
  for (std::size_t s = 0; s < p_.axes.size(); ++s) {
    anchor[static_cast<std::size_t>(p_.axes[s])] = row[s];
  }
  const float* factors = p_.scale.data() + sample * (2 * channels_ + 1);
  CropMirrorNormalize({from.data, p_.source, from.extent, from.strides},
                      {to.data, p_.target, to.extent, to.strides},
                      {.perm = p_.perm,
                       .channel_axis = p_.channel_axis,
                       .mirror_axis = p_.mirror_axis,
                       .shift = factors[2 * channels_],
                       .fill = p_.fill.subspan(sample * filled_, filled_)},
                      {.anchor = anchor,
                       .mirror = row[p_.axes.size()] != 0,
                       .mean = {factors, channels_},
                       .mul = {factors + channels_, channels_}});
  return Status::Ok();
}

}  // namespace dynjax
