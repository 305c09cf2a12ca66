// Fills boxes of an array, or what lies around them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/simd.h"
#include "movement/array_view.h"

namespace dynjax {

class Filler {
 public:
  // `values` are one for all, or one for each position of the target's `axis`.
  Filler(const ArrayView& target, std::span<const float> values, int axis, Target instructions);

  // Fills all of the target outside `[low, high)`, given for each axis.
  void Outside(std::span<const std::int64_t> low, std::span<const std::int64_t> high) const;
  // Fills all of the target inside it.
  void Inside(std::span<const std::int64_t> low, std::span<const std::int64_t> high) const;

 private:
  struct Region {
    std::span<const std::int64_t> low, high;
    std::size_t axes;  // from this one on, axes are inside as a whole
  };
  Region RegionOf(std::span<const std::int64_t> low, std::span<const std::int64_t> high) const;
  void Around(std::size_t axis, std::byte* at, std::int64_t value, const Region& region) const;
  void Within(std::size_t axis, std::byte* at, std::int64_t value, const Region& region) const;
  void Slab(std::size_t axis, std::byte* at, std::int64_t begin, std::int64_t end,
            std::int64_t value) const;

  const ArrayView& target_;
  int axis_;
  std::int64_t bytes_;
  std::int64_t count_;             // values
  std::vector<std::byte> values_;  // in the target's type
  std::size_t dense_from_;         // axes from here on lie without gaps
};

}  // namespace dynjax
