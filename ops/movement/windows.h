// Windows of the samples of a batch: crops, slices, flips, transpositions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/samples.h"

namespace dynjax {

// `axes` are the input axes that differ from the whole; all others are copied as they are. `perm`
// as in CopyWindow.
struct Windows {
  std::span<const int> axes, perm;
  std::span<const std::int32_t> table;  // [N, 2 * axes]: anchors, then steps
  std::span<const float> fill;          // [N, values]
  int fill_axis = -1;                   // input axis; -1: one value for all
};

// The window of one sample, by input axis.
struct Window {
  std::array<std::int64_t, kMaxRank> anchor, step;
  std::span<const float> fill;
};

// Windows as they are read. What `windows` refers to must outlive it.
class WindowReader {
 public:
  WindowReader(const Windows& windows, std::int64_t count);

  // What is wrong with them for samples of `rank` axes; null: nothing.
  const char* Fault(std::size_t rank) const;

  Window Of(std::int64_t sample) const;

  // The output axis along which the fill values lie; -1: there is none.
  int fill_axis() const { return fill_axis_; }

 private:
  Windows windows_;
  std::size_t count_, values_;
  int fill_axis_ = -1;
};

}  // namespace dynjax
