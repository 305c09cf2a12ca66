#include "masks/erase.h"

#include <algorithm>
#include <array>

#include "movement/fill.h"
#include "movement/strided_copy.h"

namespace dynjax {
namespace {

using Positions = std::array<std::int64_t, kMaxViewRank>;

}  // namespace

void Erase(const ArrayView& source, const ArrayView& target, const Regions& regions,
           Target instructions) {
  StridedCopy(source, target, WholeWindow(target.extent.size()), instructions);
  if (regions.size() == 0) return;
  const Filler filler(target, regions.fill, regions.fill_axis, instructions);
  const std::size_t count = regions.axes.size();
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const auto limits = regions.limits.subspan(2 * r * count, 2 * count);
    Positions low{}, high{};
    std::copy(target.extent.begin(), target.extent.end(), high.begin());
    for (std::size_t k = 0; k < count; ++k) {
      const auto axis = static_cast<std::size_t>(regions.axes[k]);
      const std::int64_t extent = target.extent[axis];
      low[axis] = std::clamp<std::int64_t>(limits[k], 0, extent);
      high[axis] = std::clamp<std::int64_t>(limits[count + k], low[axis], extent);
    }
    filler.Inside(low, high);
  }
}

}  // namespace dynjax
