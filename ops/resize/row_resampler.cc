#include "resize/row_resampler.h"

#include <algorithm>
#include <utility>

namespace dynjax {
namespace {

std::size_t RoomFor(std::int64_t elements) {
  return static_cast<std::size_t>(elements + kRowSlack);
}

// Which pass first? A blended element costs about 1 a tap; a filtered one about 3, because short
// pixels fill vectors badly. The answer depends on the sizes alone, so all targets agree.
bool VerticalIsCheaperFirst(const Taps& vertical, const Taps& horizontal) {
  constexpr double kFilterCost = 3;
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
      first_(horizontal_->first),
      unfiltered_(RoomFor((horizontal_->end() - horizontal_->begin()) * channels)),
      result_(RoomFor(row_size())),
      sources_(static_cast<std::size_t>(vertical_->width)) {
  for (auto& column : first_) column -= horizontal_->begin();
  if (!vertical_first_) {
    ring_.resize(RoomFor(row_size()) * static_cast<std::size_t>(vertical_->width));
    ring_rows_.resize(static_cast<std::size_t>(vertical_->width));
  }
}

void RowResampler::SetPlane(const PixelPlane& plane) {
  plane_ = plane;
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

const float* RowResampler::Filter(const float* row, float* out) const {
  const TapsView view{.out = horizontal_->out,
                      .width = horizontal_->width,
                      .uniform = horizontal_->uniform(),
                      .first = first_.data(),
                      .count = horizontal_->count.data(),
                      .weights = horizontal_->weights.data()};
  passes_.filter(row, view, channels_, out);
  return out;
}

const float* RowResampler::VerticalFirst(std::int32_t y) {
  const auto o = static_cast<std::size_t>(y);
  const std::int32_t first = vertical_->first[o], count = vertical_->count[o];
  const std::int64_t n = (horizontal_->end() - horizontal_->begin()) * channels_;
  if (vertical_->copies()) {
    convert_.load[static_cast<std::size_t>(plane_.type)](Input(first), n, unfiltered_.data());
  } else {
    for (std::int32_t t = 0; t < count; ++t) {
      sources_[static_cast<std::size_t>(t)] = Input(first + t);
    }
    const float* weights = &vertical_->weights[o * static_cast<std::size_t>(vertical_->width)];
    passes_.blend[static_cast<std::size_t>(plane_.type)](sources_.data(), weights, count, n,
                                                         unfiltered_.data());
  }
  if (horizontal_->shifts()) return unfiltered_.data();
  return Filter(unfiltered_.data(), result_.data());
}

const float* RowResampler::HorizontalFirst(std::int32_t y) {
  const auto o = static_cast<std::size_t>(y);
  const std::int32_t first = vertical_->first[o], count = vertical_->count[o];
  for (std::int32_t t = 0; t < count; ++t) {
    sources_[static_cast<std::size_t>(t)] = FilteredInput(first + t);
  }
  const float* weights = &vertical_->weights[o * static_cast<std::size_t>(vertical_->width)];
  passes_.blend[static_cast<std::size_t>(Pixel::kF32)](sources_.data(), weights, count, row_size(),
                                                       result_.data());
  return result_.data();
}

const float* RowResampler::FilteredInput(std::int32_t y) {
  const std::size_t slot = static_cast<std::size_t>(y) % ring_rows_.size();
  float* row = &ring_[slot * RoomFor(row_size())];
  if (ring_rows_[slot] == y) return row;
  ring_rows_[slot] = y;
  const auto load = convert_.load[static_cast<std::size_t>(plane_.type)];
  const std::int64_t n = (horizontal_->end() - horizontal_->begin()) * channels_;
  if (horizontal_->shifts()) {
    load(Input(y), n, row);
  } else {
    load(Input(y), n, unfiltered_.data());
    Filter(unfiltered_.data(), row);
  }
  return row;
}

}  // namespace dynjax
