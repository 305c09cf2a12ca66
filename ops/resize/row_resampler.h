// Resamples one plane of pixels, one output row at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/array.h"
#include "base/convert.h"
#include "resize/filters.h"
#include "resize/row_passes.h"

namespace dynjax {

// height x width pixels of `channels` elements; pixels of a row are adjacent.
struct PixelPlane {
  const std::byte* data = nullptr;
  Pixel type = Pixel::kU8;
  std::int64_t row_bytes = 0;
};

// Holds a few rows, never a plane: what it reads and writes stays in cache. The plane given last
// must outlive the calls of `Row`. Not thread-safe.
class RowResampler {
 public:
  // `vertical` and `horizontal` are the taps of height and width. Before anything else, `Prepare`.
  RowResampler(std::shared_ptr<const Taps> vertical, std::shared_ptr<const Taps> horizontal,
               std::int64_t channels, Target target = BestTarget());

  // Takes the memory for the rows; false if there is none.
  [[nodiscard]] bool Prepare();

  void SetPlane(const PixelPlane& plane);

  // Output row `y`, unrounded: horizontal->out * channels elements, valid until the next call.
  // Ascending order is the cheapest: rows are made a few at a time.
  const float* Row(std::int32_t y);
  // The same, rounded to `type`.
  void Row(std::int32_t y, Pixel type, void* out);

  std::int64_t row_size() const { return horizontal_->out * channels_; }

 private:
  const float* VerticalFirst(std::int32_t y);
  const float* HorizontalFirst(std::int32_t y);
  // The input columns in use, of output row `y` after the vertical pass.
  void Blend(std::int32_t y, float* out);
  const float* FilteredInput(std::int32_t y);
  const std::byte* Input(std::int32_t y) const;
  // Applies the horizontal taps to rows that begin at input column horizontal->begin().
  void Filter(const float* in, std::int32_t rows, float* out) const;

  std::shared_ptr<const Taps> vertical_, horizontal_;
  std::int64_t channels_;
  const RowPasses& passes_;
  const Converters& convert_;
  PixelPlane plane_;
  bool vertical_first_;
  Array<std::int32_t> first_;        // of the horizontal taps, from horizontal->begin()
  std::int64_t columns_;             // input elements in use, of a row
  std::int64_t in_step_, out_step_;  // between the rows of the buffers
  Array<float> unfiltered_, result_;
  std::int32_t block_begin_ = 0, block_end_ = 0;  // vertical first: the rows in `result_`
  // Horizontal first: recent filtered inputs, row y in slot y modulo the number of slots.
  Array<float> ring_;
  Array<std::int32_t> ring_rows_;
  Array<const void*> sources_;
};

}  // namespace dynjax
