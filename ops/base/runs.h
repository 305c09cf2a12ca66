// Samples as frames, and as runs of elements that lie side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/samples.h"

namespace dynjax {

// Element `index` of the first axis, as a sample of one axis less.
inline Sample FrameOf(const Sample& sample, std::int64_t index, std::size_t item_bytes) {
  Sample inner{
      .data = sample.data + static_cast<std::size_t>(index * sample.strides[0]) * item_bytes,
      .extent = sample.extent.subspan(1),
      .strides = {}};
  for (std::size_t a = 1; a < sample.extent.size(); ++a) inner.strides[a - 1] = sample.strides[a];
  return inner;
}

// Calls body(offset in a, offset in b, n) for runs of `n` items along the first `rank` axes, whose
// extents are those of `a`. An item is what the axes behind them hold: `size_a` (`size_b`) elements
// side by side. Offsets are in elements.
template <typename Body>
void ForEachRun(const Sample& a, const Sample& b, std::size_t rank, std::int64_t size_a,
                std::int64_t size_b, const Body& body) {
  std::size_t outer = rank;
  std::int64_t n = 1;
  while (outer > 0 && a.strides[outer - 1] == n * size_a && b.strides[outer - 1] == n * size_b) {
    n *= a.extent[--outer];
  }
  if (n == 0) return;
  for (std::size_t k = 0; k < outer; ++k) {
    if (a.extent[k] == 0) return;
  }
  std::array<std::int32_t, kMaxRank> index{};
  std::int64_t at_a = 0, at_b = 0;
  while (true) {
    body(at_a, at_b, n);
    std::size_t k = outer;
    while (k > 0) {
      --k;
      at_a += a.strides[k];
      at_b += b.strides[k];
      if (++index[k] < a.extent[k]) break;
      at_a -= a.strides[k] * index[k];
      at_b -= b.strides[k] * index[k];
      index[k] = 0;
      if (k == 0) return;
    }
    if (outer == 0) return;
  }
}

}  // namespace dynjax
