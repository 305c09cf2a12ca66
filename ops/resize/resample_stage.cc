#include "resize/resample_stage.h"

#include <array>
#include <cmath>

#include "resize/resample.h"

namespace dynjax {
namespace {

// Windows far outside any image would only cost time, and overflow the positions of taps.
constexpr float kMaxPosition = 0x1p30f;

bool AxesAscend(std::span<const int> axes, std::size_t rank) {
  if (axes.empty() || axes.size() > kMaxResampleAxes) return false;
  int previous = -1;
  for (const int axis : axes) {
    if (axis <= previous || axis >= static_cast<int>(rank)) return false;
    previous = axis;
  }
  return true;
}

bool IsEmpty(Stage::Extent extent) {
  for (const auto e : extent) {
    if (e == 0) return true;
  }
  return false;
}

}  // namespace

const char* ResampleStage::Fault(std::int64_t count, std::size_t rank) const {
  if (p_.target != p_.source && p_.target != Pixel::kF32) {
    return "want the same element type or a float32 result";
  }
  const std::size_t cells = static_cast<std::size_t>(count) * p_.axes.size();
  if (!AxesAscend(p_.axes, rank) || p_.roi.size() != 2 * cells || p_.filter.size() != cells ||
      p_.border < 0 || p_.border > 1) {
    return "want 1 to 3 ascending axes, roi f32[n, 2 * axes], filter s32[n, axes]";
  }
  return nullptr;
}

bool ResampleStage::IsSound(std::int64_t i, Extent from, Extent to) const {
  if (from.size() != to.size()) return false;
  if (IsEmpty(to)) return true;
  if (IsEmpty(from)) return false;
  const std::size_t count = p_.axes.size(), first = static_cast<std::size_t>(i) * count;
  for (std::size_t a = 0, s = 0; a < from.size(); ++a) {
    if (s < count && p_.axes[s] == static_cast<int>(a)) {
      const std::size_t at = first + s;
      // Written so that NaN fails.
      if (!(std::abs(p_.roi[2 * at]) <= kMaxPosition) ||
          !(std::abs(p_.roi[2 * at + 1]) <= kMaxPosition) || p_.filter[at] < 0 ||
          p_.filter[at] >= kFilters) {
        return false;
      }
      ++s;
    } else if (from[a] != to[a]) {
      return false;
    }
  }
  return true;
}

Status ResampleStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  if (IsEmpty(to.extent)) return Status::Ok();
  std::array<ResampleAxis, kMaxResampleAxes> window;
  const std::size_t count = p_.axes.size(), first = static_cast<std::size_t>(i) * count;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t at = first + s;
    const auto axis = static_cast<std::size_t>(p_.axes[s]);
    window[s] = {.in = from.extent[axis],
                 .out = to.extent[axis],
                 .lo = p_.roi[2 * at],
                 .hi = p_.roi[2 * at + 1],
                 .filter = static_cast<Filter>(p_.filter[at]),
                 .antialias = p_.antialias,
                 .border = static_cast<Border>(p_.border)};
  }
  return Resample({from.data, p_.source, from.extent, from.strides},
                  {to.data, p_.target, to.extent, to.strides}, p_.axes, {window.data(), count});
}

}  // namespace dynjax
