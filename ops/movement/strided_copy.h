// Windows of arrays: crops, slices, flips, padding and transpositions, in any combination.
#pragma once

#include <cstdint>
#include <span>

#include "base/simd.h"
#include "movement/array_view.h"

namespace dynjax {

struct CopyWindow {
  std::span<const int> perm;  // output axis a is input axis perm[a]; input axes may be left out
  std::span<const std::int64_t> anchor, step;  // per input axis
  // Beyond the source: one value, or one for each position of an output axis; none: 0.
  std::span<const float> fill;
  int fill_axis = -1;  // output axis; -1: one value for all
};

// Everything, as it lies.
CopyWindow WholeWindow(std::size_t rank);

// target[o] = source[anchor + step * o] along each axis, converted to the target's type as
// `convert.h` says. An input axis that is left out stands at its anchor. Positions that the source
// does not have hold the fill value. Steps may be negative or 0. Whatever the window says, reads
// stay inside the source. Source and target must not overlap.
void StridedCopy(const ArrayView& source, const ArrayView& target, const CopyWindow& window,
                 Target instructions = BestTarget());

}  // namespace dynjax
