#include "filters/separable.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "filters/border.h"
#include "resize/row_passes.h"

namespace dynjax {
namespace {

// One window without the zeros at its ends.
struct Window {
  const float* weights = nullptr;
  std::int64_t radius = 0;
  std::int32_t taps() const { return static_cast<std::int32_t>(2 * radius + 1); }
  bool IsIdentity() const { return radius == 0 && *weights == 1.0f; }
};

Window Trimmed(const float* weights, std::int64_t width) {
  std::int64_t skipped = 0;
  while (2 * skipped + 2 < width && weights[skipped] == 0 && weights[width - 1 - skipped] == 0) {
    ++skipped;
  }
  return {weights + skipped, width / 2 - skipped};
}

// The vertical pass of a row goes into a buffer with room for the border; the horizontal pass sums
// that buffer at shifted places. Both are sums of rows.
class Filtering {
 public:
  Filtering(const FilterGrid& grid, const SeparableWindows& windows, Target instructions)
      : grid_(grid), passes_(RowPassesFor(instructions)), convert_(ConvertersFor(instructions)) {
    const auto axes = static_cast<std::size_t>(windows.axes);
    const float* next = windows.weights;
    for (int term = 0; term < windows.terms; ++term) {
      std::array<Window, 3> own;
      for (auto& window : own) window = {&kOne, 0};
      for (std::size_t a = 3 - axes; a < 3; ++a, next += windows.width) {
        own[a] = Trimmed(next, windows.width);
        radius_ = std::max(radius_, a == 2 ? own[a].radius : 0);
      }
      terms_.push_back(own);
    }
    size_ = grid.extent[2] * grid.inner;
    wide_.resize(static_cast<std::size_t>(size_ + 2 * radius_ * grid.inner + kRowSlack));
    result_.resize(static_cast<std::size_t>(size_ + kRowSlack));
    sum_.resize(result_.size());
    for (std::int64_t t = 0; t < radius_; ++t) {
      left_.push_back(BorderIndex(-1 - t, grid.extent[2], Border::kReflect101));
      right_.push_back(BorderIndex(grid.extent[2] + t, grid.extent[2], Border::kReflect101));
    }
  }

  void Run(const FilterView& in, std::byte* out, Pixel out_type,
           std::array<std::int64_t, 2> out_step) {
    for (std::int64_t z = 0; z < grid_.extent[0]; ++z) {
      const std::vector<FilterView> slices = Slices(in, z);
      for (std::int64_t y = 0; y < grid_.extent[1]; ++y) {
        for (std::size_t term = 0; term < terms_.size(); ++term) {
          Row(slices[term], y, terms_[term], term == 0 ? sum_.data() : result_.data());
          if (term > 0) Add();
        }
        const auto at = static_cast<std::size_t>(z * out_step[0] + y * out_step[1]);
        convert_.store[static_cast<std::size_t>(out_type)](sum_.data(), size_,
                                                           out + at * Bytes(out_type));
      }
    }
  }

 private:
  static constexpr float kOne = 1;

  void Add() {
    for (std::int64_t x = 0; x < size_; ++x) {
      sum_[static_cast<std::size_t>(x)] += result_[static_cast<std::size_t>(x)];
    }
  }

  const std::byte* RowOf(const FilterView& in, std::int64_t z, std::int64_t y) const {
    return static_cast<const std::byte*>(in.data) +
           static_cast<std::size_t>(z * in.step[0] + y * in.step[1]) * Bytes(in.type);
  }

  // What each term filters in the plane: slice z itself or, for volumes, slices blended.
  std::vector<FilterView> Slices(const FilterView& in, std::int64_t z) {
    std::vector<FilterView> slices;
    blended_.resize(terms_.size());
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const Window& window = terms_[term][0];
      if (window.IsIdentity()) {
        slices.push_back({RowOf(in, z, 0), in.type, {0, in.step[1]}});
        continue;
      }
      auto& slice = blended_[term];
      slice.resize(static_cast<std::size_t>(grid_.extent[1] * size_ + kRowSlack));
      for (std::int64_t y = 0; y < grid_.extent[1]; ++y) {
        sources_.clear();
        for (std::int64_t t = -window.radius; t <= window.radius; ++t) {
          sources_.push_back(
              RowOf(in, BorderIndex(z + t, grid_.extent[0], Border::kReflect101), y));
        }
        passes_.blend[static_cast<std::size_t>(in.type)](
            sources_.data(), window.weights, window.taps(), size_, slice.data() + y * size_);
      }
      slices.push_back({slice.data(), Pixel::kF32, {0, size_}});
    }
    return slices;
  }

  void Row(const FilterView& slice, std::int64_t y, const std::array<Window, 3>& windows,
           float* out) {
    const Window &vertical = windows[1], &horizontal = windows[2];
    float* row = wide_.data() + radius_ * grid_.inner;
    sources_.clear();
    for (std::int64_t t = -vertical.radius; t <= vertical.radius; ++t) {
      sources_.push_back(RowOf(slice, 0, BorderIndex(y + t, grid_.extent[1], Border::kReflect101)));
    }
    passes_.blend[static_cast<std::size_t>(slice.type)](sources_.data(), vertical.weights,
                                                        vertical.taps(), size_, row);
    const auto inner = static_cast<std::size_t>(grid_.inner);
    for (std::int64_t t = 0; t < horizontal.radius; ++t) {
      const auto at = static_cast<std::size_t>(t);
      std::copy_n(row + left_[at] * grid_.inner, inner, row - (t + 1) * grid_.inner);
      std::copy_n(row + right_[at] * grid_.inner, inner, row + size_ + t * grid_.inner);
    }
    sources_.clear();
    for (std::int64_t t = -horizontal.radius; t <= horizontal.radius; ++t) {
      sources_.push_back(row + t * grid_.inner);
    }
    passes_.blend[static_cast<std::size_t>(Pixel::kF32)](sources_.data(), horizontal.weights,
                                                         horizontal.taps(), size_, out);
  }

  const FilterGrid& grid_;
  const RowPasses& passes_;
  const Converters& convert_;
  std::vector<std::array<Window, 3>> terms_;
  std::int64_t radius_ = 0;  // the largest along a row
  std::int64_t size_ = 0;    // elements of a row
  std::vector<float> wide_, result_, sum_;
  std::vector<std::vector<float>> blended_;
  std::vector<std::int64_t> left_, right_;
  std::vector<const void*> sources_;
};

}  // namespace

void FilterSeparably(const FilterGrid& grid, const FilterView& in, const SeparableWindows& windows,
                     void* out, Pixel out_type, std::array<std::int64_t, 2> out_step,
                     Target instructions) {
  if (grid.extent[0] * grid.extent[1] * grid.extent[2] * grid.inner == 0) return;
  Filtering(grid, windows, instructions).Run(in, static_cast<std::byte*>(out), out_type, out_step);
}

}  // namespace dynjax
