#include "filters/correlate.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "resize/row_passes.h"

namespace dynjax {
namespace {

// Input rows as floats, with their border: row y in slot y modulo the number of window rows.
class WideRows {
 public:
  WideRows(const PlaneView& in, const CorrelationWindow& window, std::int64_t out_width,
           const Converters& convert)
      : in_(in), window_(window), load_(convert.load[static_cast<std::size_t>(in.type)]) {
    pixels_ = out_width + window.columns - 1;
    stride_ = pixels_ * in.inner + kRowSlack;
    rows_.resize(static_cast<std::size_t>(window.rows * stride_));
    line_.resize(static_cast<std::size_t>(in.width * in.inner + kRowSlack));
    held_.assign(static_cast<std::size_t>(window.rows), kNothing);
  }

  // Input row `y`, inside the plane or not; element 0 is pixel -anchor_x.
  const float* Row(std::int64_t y) {
    const std::int64_t rows = window_.rows;
    const auto slot = static_cast<std::size_t>(((y % rows) + rows) % rows);
    float* row = rows_.data() + static_cast<std::int64_t>(slot) * stride_;
    if (held_[slot] != y) {
      held_[slot] = y;
      Fill(BorderIndex(y, in_.height, window_.border), row);
    }
    return row;
  }

 private:
  static constexpr std::int64_t kNothing = INT64_MIN;

  void Fill(std::int64_t y, float* row) {
    const std::int64_t inner = in_.inner;
    if (y < 0) {
      std::fill_n(row, pixels_ * inner, window_.fill);
      return;
    }
    load_(in_.Row(y), in_.width * inner, line_.data());
    // The part that lies inside in one piece, the border pixel by pixel.
    const std::int64_t begin = std::clamp<std::int64_t>(window_.anchor_x, 0, pixels_);
    const std::int64_t end = std::clamp<std::int64_t>(window_.anchor_x + in_.width, begin, pixels_);
    std::copy_n(line_.data() + (begin - window_.anchor_x) * inner, (end - begin) * inner,
                row + begin * inner);
    for (std::int64_t x = 0; x < pixels_; ++x) {
      if (x == begin) x = end;
      if (x >= pixels_) break;
      const std::int64_t source = BorderIndex(x - window_.anchor_x, in_.width, window_.border);
      if (source < 0) {
        std::fill_n(row + x * inner, inner, window_.fill);
      } else {
        std::copy_n(line_.data() + source * inner, inner, row + x * inner);
      }
    }
  }

  const PlaneView& in_;
  const CorrelationWindow& window_;
  Converters::Load load_;
  std::int64_t pixels_ = 0, stride_ = 0;
  std::vector<float> rows_, line_;
  std::vector<std::int64_t> held_;
};

}  // namespace

void Correlate(const PlaneView& in, const CorrelationWindow& window, std::int64_t out_height,
               std::int64_t out_width, void* out, Pixel out_type, std::int64_t out_step,
               Target instructions) {
  const std::int64_t size = out_width * in.inner;
  if (out_height == 0 || size == 0 || in.height == 0 || in.width == 0) return;
  const RowPasses& passes = RowPassesFor(instructions);
  const Converters& convert = ConvertersFor(instructions);
  const auto blend = passes.blend[static_cast<std::size_t>(Pixel::kF32)];
  WideRows rows(in, window, out_width, convert);
  // Zero weights cost nothing: their taps are left out.
  std::vector<float> weights;
  for (std::int64_t i = 0; i < window.rows; ++i) {
    for (std::int64_t j = 0; j < window.columns; ++j) {
      const float weight = window.weights[i * window.step + j];
      if (weight != 0) weights.push_back(weight);
    }
  }
  std::vector<const void*> taps(weights.size());
  std::vector<float> sum(static_cast<std::size_t>(size + kRowSlack));
  auto* target = static_cast<std::byte*>(out);
  for (std::int64_t y = 0; y < out_height; ++y) {
    std::size_t k = 0;
    for (std::int64_t i = 0; i < window.rows; ++i) {
      const float* row = rows.Row(y + i - window.anchor_y);
      for (std::int64_t j = 0; j < window.columns; ++j) {
        if (window.weights[i * window.step + j] != 0) taps[k++] = row + j * in.inner;
      }
    }
    blend(taps.data(), weights.data(), static_cast<std::int32_t>(weights.size()), size, sum.data());
    convert.store[static_cast<std::size_t>(out_type)](
        sum.data(), size, target + static_cast<std::size_t>(y * out_step) * Bytes(out_type));
  }
}

}  // namespace dynjax
