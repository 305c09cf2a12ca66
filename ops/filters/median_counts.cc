#include "filters/median_counts.h"

#include <algorithm>
#include <vector>

#include "filters/median_counts_avx2.h"
#include "filters/median_counts_rows.h"
#include "filters/order_keys.h"

namespace dynjax {
namespace {

// Columns side by side whose counts stay in the second-level cache.
constexpr std::int64_t kStripElements = 768;

class CountingFilter {
 public:
  CountingFilter(const PlaneView& in, const MedianWindow& window, Target instructions)
      : in_(in), window_(window), windows_(static_cast<std::size_t>(in.inner)) {
#if defined(__x86_64__)
    if (instructions == Target::kAvx2) {
      count_row_ = Avx2CountRow;
      rank_row_ = Avx2RankRow;
    }
#endif
    (void)instructions;
  }

  // The result's columns [left, right).
  void Strip(std::int64_t left, std::int64_t right, std::byte* out, std::int64_t out_step) {
    const auto column = [&](std::int64_t k) {
      return std::clamp<std::int64_t>(left - window_.anchor_x + k, 0, in_.width - 1);
    };
    const std::int64_t reach = right - left + window_.columns - 1;
    first_ = column(0);
    columns_.clear();
    for (std::int64_t k = 0; k < reach; ++k) {
      columns_.push_back(static_cast<std::int32_t>(column(k) - first_));
    }
    const std::int64_t size = (columns_.back() + 1) * in_.inner;
    line_.resize(static_cast<std::size_t>(size));
    ranges_.assign(static_cast<std::size_t>(16 * size), 0);
    values_.assign(static_cast<std::size_t>(256 * size), 0);
    const ColumnCounts counts{ranges_.data(), values_.data(), size};
    const CountedRow row{columns_.data(), window_.columns, right - left, in_.inner,
                         static_cast<std::int16_t>(window_.rank)};
    for (std::int64_t i = 0; i < window_.rows; ++i) Count(i - window_.anchor_y, false, counts);
    for (std::int64_t y = 0; y < in_.height; ++y) {
      if (y > 0) {
        Count(y - 1 - window_.anchor_y, true, counts);
        Count(y - 1 - window_.anchor_y + window_.rows, false, counts);
      }
      auto* to = reinterpret_cast<std::uint8_t*>(out) + y * out_step + left * in_.inner;
      rank_row_(row, counts, windows_.data(), to);
      if (in_.type == Pixel::kI8) FromKeys(to, in_.type, (right - left) * in_.inner, to);
    }
  }

 private:
  void Count(std::int64_t y, bool leaves, const ColumnCounts& counts) {
    const std::byte* row =
        in_.Row(std::clamp<std::int64_t>(y, 0, in_.height - 1)) + first_ * in_.inner;
    if (in_.type == Pixel::kI8) {
      ToKeys(row, in_.type, counts.size, NanPlace::kLast, line_.data());
      row = reinterpret_cast<const std::byte*>(line_.data());
    }
    count_row_(reinterpret_cast<const std::uint8_t*>(row), leaves, counts);
  }

  const PlaneView& in_;
  const MedianWindow& window_;
  decltype(&Avx2CountRow) count_row_ = CountRow;
  decltype(&Avx2RankRow) rank_row_ = RankRow;
  std::vector<WindowCounts> windows_;  // one for each channel
  std::int64_t first_ = 0;             // the first column that is counted
  std::vector<std::int32_t> columns_;
  std::vector<std::uint8_t> ranges_, values_, line_;
};

}  // namespace

void MedianByCounting(const PlaneView& in, const MedianWindow& window, std::byte* out,
                      std::int64_t out_step, Target instructions) {
  CountingFilter filter(in, window, instructions);
  const std::int64_t width =
      std::max(kStripElements / in.inner, std::max<std::int64_t>(window.columns, 16));
  for (std::int64_t x = 0; x < in.width; x += width) {
    filter.Strip(x, std::min(x + width, in.width), out, out_step);
  }
}

}  // namespace dynjax
