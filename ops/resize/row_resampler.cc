#include "resize/row_resampler.h"

#include <algorithm>
#include <utility>

namespace dynjax {
namespace {

// Which pass first? A blended element costs about 1 a tap; a filtered one about 2, because short
// pixels fill vectors badly. The answer depends on the sizes alone, so all targets agree.
bool VerticalIsCheaperFirst(const Taps& vertical, const Taps& horizontal) {
  constexpr double kFilterCost = 2;
  const double columns = horizontal.end() - horizontal.begin();
  const double rows = vertical.end() - vertical.begin();
  const double blend = vertical.mean_count();
  const double filter = horizontal.shifts() ? 0 : kFilterCost * horizontal.mean_count();
  const double vertical_first = vertical.out * (columns * blend + horizontal.out * filter);
  const double horizontal_first =
      rows * (columns + horizontal.out * filter) + vertical.out * horizontal.out * blend;
  return vertical.copies() || vertical_first <= horizontal_first;
}

}  // namespace

RowResampler::RowResampler(std::shared_ptr<const Taps> vertical,
                           std::shared_ptr<const Taps> horizontal, std::int64_t channels,
                           Target target)
    : vertical_(std::move(vertical)),
      horizontal_(std::move(horizontal)),
      channels_(channels),
      passes_(RowPassesFor(target)),
      convert_(ConvertersFor(target)),
      vertical_first_(VerticalIsCheaperFirst(*vertical_, *horizontal_)),
      columns_((horizontal_->end() - horizontal_->begin()) * channels),
      in_step_(columns_ + kRowSlack),
      out_step_(row_size() + kRowSlack) {}

bool RowResampler::Prepare() {
  const std::size_t rows = vertical_first_ && !horizontal_->shifts() ? kRowBlock : 1;
  const auto width = static_cast<std::size_t>(vertical_->width);
  if (!first_.Reset(horizontal_->first.size()) || !sources_.Reset(width) ||
      !unfiltered_.Reset(rows * static_cast<std::size_t>(in_step_)) ||
      !result_.Reset(rows * static_cast<std::size_t>(out_step_))) {
    return false;
  }
  for (std::size_t o = 0; o < first_.size(); ++o) {
    first_[o] = horizontal_->first[o] - horizontal_->begin();
  }
  return vertical_first_ ||
         (ring_rows_.Reset(width) && ring_.Reset(width * static_cast<std::size_t>(out_step_)));
}

void RowResampler::SetPlane(const PixelPlane& plane) {
  plane_ = plane;
  block_begin_ = block_end_ = 0;
  std::fill(ring_rows_.begin(), ring_rows_.end(), -1);
}

const float* RowResampler::Row(std::int32_t y) {
  return vertical_first_ ? VerticalFirst(y) : HorizontalFirst(y);
}

void RowResampler::Row(std::int32_t y, Pixel type, void* out) {
  convert_.store[static_cast<std::size_t>(type)](Row(y), row_size(), out);
}

const std::byte* RowResampler::Input(std::int32_t y) const {
  const std::int64_t offset = horizontal_->begin() * channels_;
  return plane_.data + y * plane_.row_bytes +
         offset * static_cast<std::int64_t>(Bytes(plane_.type));
}

void RowResampler::Filter(const float* in, std::int32_t rows, float* out) const {
  const TapsView view{.out = horizontal_->out,
                      .width = horizontal_->width,
                      .uniform = horizontal_->uniform(),
                      .first = first_.data(),
                      .count = horizontal_->count.data(),
                      .weights = horizontal_->weights.data()};
  passes_.filter(in, in_step_, rows, view, channels_, out, out_step_);
}

void RowResampler::Blend(std::int32_t y, float* out) {
  const auto o = static_cast<std::size_t>(y), type = static_cast<std::size_t>(plane_.type);
  const std::int32_t first = vertical_->first[o], count = vertical_->count[o];
  if (vertical_->copies()) return convert_.load[type](Input(first), columns_, out);
  for (std::int32_t t = 0; t < count; ++t) {
    sources_[static_cast<std::size_t>(t)] = Input(first + t);
  }
  passes_.blend[type](sources_.data(),
                      &vertical_->weights[o * static_cast<std::size_t>(vertical_->width)], count,
                      columns_, out);
}

const float* RowResampler::VerticalFirst(std::int32_t y) {
  if (horizontal_->shifts()) {
    Blend(y, unfiltered_.data());
    return unfiltered_.data();
  }
  if (y < block_begin_ || y >= block_end_) {
    block_begin_ = y;
    block_end_ = std::min(y + kRowBlock, vertical_->out);
    for (std::int32_t r = block_begin_; r < block_end_; ++r) {
      Blend(r, unfiltered_.data() + (r - block_begin_) * in_step_);
    }
    Filter(unfiltered_.data(), block_end_ - block_begin_, result_.data());
  }
  return result_.data() + (y - block_begin_) * out_step_;
}

const float* RowResampler::HorizontalFirst(std::int32_t y) {
  const auto o = static_cast<std::size_t>(y);
  const std::int32_t first = vertical_->first[o], count = vertical_->count[o];
  for (std::int32_t t = 0; t < count; ++t) {
    sources_[static_cast<std::size_t>(t)] = FilteredInput(first + t);
  }
  passes_.blend[static_cast<std::size_t>(Pixel::kF32)](
      sources_.data(), &vertical_->weights[o * static_cast<std::size_t>(vertical_->width)], count,
      row_size(), result_.data());
  return result_.data();
}

const float* RowResampler::FilteredInput(std::int32_t y) {
  const std::size_t slot = static_cast<std::size_t>(y) % ring_rows_.size();
  float* row = ring_.data() + static_cast<std::int64_t>(slot) * out_step_;
  if (ring_rows_[slot] == y) return row;
  ring_rows_[slot] = y;
  const auto load = convert_.load[static_cast<std::size_t>(plane_.type)];
  if (horizontal_->shifts()) {
    load(Input(y), columns_, row);
  } else {
    load(Input(y), columns_, unfiltered_.data());
    Filter(unfiltered_.data(), 1, row);
  }
  return row;
}

}  // namespace dynjax
