// The elements of a part of a sample as runs, with their numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/samples.h"
#include "movement/parts.h"

namespace dynjax {

// The axes of two samples of one extent. Strides are in elements.
struct Grid {
  struct Axis {
    std::int64_t extent, begin, end, from, to;
  };

  static Grid Of(const Sample& from, const Sample& to, const Part& part) {
    Grid grid;
    grid.rank = to.extent.size();
    for (std::size_t a = 0; a < grid.rank; ++a) {
      const bool divided = a == part.axis;
      grid.axes[a] = {to.extent[a], divided ? part.begin : 0, divided ? part.end : to.extent[a],
                      from.strides[a], to.strides[a]};
    }
    return grid;
  }

  // The grid without one axis, which is returned.
  Axis Without(std::size_t axis) {
    const Axis taken = axes[axis];
    --rank;
    for (std::size_t a = axis; a < rank; ++a) axes[a] = axes[a + 1];
    return taken;
  }

  std::size_t rank = 0;
  std::array<Axis, kMaxRank> axes{};
};

// Consecutive elements at equal distances.
struct ElementRun {
  std::uint32_t number;  // of the first, in row-major order of the true extents
  std::int64_t size;
  std::int64_t from, to;  // where the first lies
};

template <typename Body>
void ForEachElementRun(const Grid& grid, const Body& body) {
  const auto& axes = grid.axes;
  if (grid.rank == 0) return body(ElementRun{0, 1, 0, 0});
  std::array<std::int64_t, kMaxRank> at{}, step{};
  std::int64_t numbers = 1;
  for (std::size_t a = grid.rank; a-- > 0;) {
    step[a] = numbers;
    numbers *= axes[a].extent;
    at[a] = axes[a].begin;
    if (axes[a].begin >= axes[a].end) return;
  }
  // Inner axes that are taken whole and lie without gaps are one run.
  std::size_t inner = grid.rank - 1;
  const std::int64_t from = axes[inner].from, to = axes[inner].to;
  std::int64_t size = axes[inner].end - axes[inner].begin;
  while (inner > 0 && size == step[inner - 1] && axes[inner - 1].from == size * from &&
         axes[inner - 1].to == size * to) {
    --inner;
    size *= axes[inner].end - axes[inner].begin;
  }
  while (true) {
    ElementRun run{0, size, 0, 0};
    for (std::size_t a = 0; a < grid.rank; ++a) {
      run.number += static_cast<std::uint32_t>(at[a] * step[a]);
      run.from += at[a] * axes[a].from;
      run.to += at[a] * axes[a].to;
    }
    body(run);
    std::size_t a = inner;
    while (a > 0 && ++at[a - 1] == axes[a - 1].end) {
      at[a - 1] = axes[a - 1].begin;
      --a;
    }
    if (a == 0) return;
  }
}

}  // namespace dynjax
