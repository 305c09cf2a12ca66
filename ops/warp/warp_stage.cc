#include "warp/warp_stage.h"

#include <algorithm>

#include "warp/warp.h"

namespace dynjax {

WarpStage::WarpStage(const WarpParameters& parameters, std::int64_t count, std::size_t rank)
    : p_(parameters), count_(count), fault_(FindFault(rank)) {}

const char* WarpStage::FindFault(std::size_t rank) {
  if (!CanSample(p_.source, p_.target)) return "want the same element type or a float32 result";
  const auto chosen = PictureAxesOf(p_.axes, rank);
  if (!chosen || (p_.channel_first && chosen->first == 0) || p_.interp < 0 ||
      p_.interp >= kInterpolations || p_.border < 0 || p_.border >= kEdges) {
    return "want 2 or 3 adjacent axes, a known interp and border";
  }
  axes_ = *chosen;
  entries_ = EntriesOf(axes_.count, p_.perspective);
  if (count_ == 0) return nullptr;
  const auto samples = static_cast<std::size_t>(count_);
  const std::size_t entries = samples * static_cast<std::size_t>(entries_);
  if (p_.maps.empty() || p_.maps.size() % entries != 0 || p_.fill.empty() ||
      p_.fill.size() % samples != 0) {
    return "want maps f32[n, t * entries], fill f32[n, c]";
  }
  maps_per_sample_ = static_cast<std::int64_t>(p_.maps.size() / entries);
  return nullptr;
}

std::span<const float> WarpStage::FillOf(std::int64_t i) const {
  const std::size_t each = p_.fill.size() / static_cast<std::size_t>(count_);
  return p_.fill.subspan(static_cast<std::size_t>(i) * each, each);
}

bool WarpStage::IsSound(std::int64_t i, Extent from, Extent to) const {
  if (from.size() != to.size()) return false;
  const Sample source{.data = nullptr, .extent = from}, target{.data = nullptr, .extent = to};
  if (!FramesAgree(source, target, axes_)) return false;
  const auto values = static_cast<std::int64_t>(FillOf(i).size());
  const std::int64_t channels =
      p_.channel_first ? from[static_cast<std::size_t>(axes_.first - 1)] : Channels(source, axes_);
  return values == 1 || values == channels;
}

Status WarpStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  if (to.volume() == 0) return Status::Ok();
  const std::int64_t count = Frames(to, axes_);
  // Frames come first; what follows them, such as channels, shares their map.
  const std::int64_t within = axes_.first > 0 ? count / to.extent[0] : 1;
  const auto fills = FillOf(i);
  for (std::int64_t f = 0; f < count; ++f) {
    const std::int64_t m = i * maps_per_sample_ + std::min(f / within, maps_per_sample_ - 1);
    const WarpMap map{
        p_.maps.subspan(static_cast<std::size_t>(m * entries_), static_cast<std::size_t>(entries_)),
        axes_.count, p_.perspective};
    const bool own_fill = p_.channel_first && fills.size() > 1;
    Warp(PictureOf(from, p_.source, axes_, f), CanvasOf(to, p_.target, axes_, f), map,
         {static_cast<Interpolation>(p_.interp), static_cast<Edge>(p_.border),
          own_fill ? fills.subspan(static_cast<std::size_t>(f) % fills.size(), 1) : fills});
  }
  return Status::Ok();
}

}  // namespace dynjax
