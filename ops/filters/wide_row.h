// A row of pixels continued beyond its ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "filters/border.h"

namespace dynjax {

class WideRow {
 public:
  // Pixel k of the result is pixel `first + k` of a row of `width` pixels, `count` in all.
  WideRow(std::int64_t width, std::int64_t inner, std::int64_t first, std::int64_t count,
          Border border)
      : inner_(inner), first_(first) {
    begin_ = std::clamp<std::int64_t>(-first, 0, count);
    end_ = std::clamp<std::int64_t>(width - first, begin_, count);
    for (std::int64_t k = 0; k < count; ++k) {
      if (k == begin_) k = end_;
      if (k < count) beyond_.emplace_back(k, BorderIndex(first + k, width, border));
    }
  }

  // `fill` is what a constant border holds.
  template <typename T>
  void Copy(const T* row, T fill, T* wide) const {
    std::copy(row + (first_ + begin_) * inner_, row + (first_ + end_) * inner_,
              wide + begin_ * inner_);
    for (const auto& [at, source] : beyond_) {
      T* pixel = wide + at * inner_;
      if (source < 0) {
        std::fill_n(pixel, inner_, fill);
      } else {
        std::copy_n(row + source * inner_, inner_, pixel);
      }
    }
  }

 private:
  std::int64_t inner_, first_, begin_ = 0, end_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> beyond_;  // pixel, the one that it repeats
};

}  // namespace dynjax
