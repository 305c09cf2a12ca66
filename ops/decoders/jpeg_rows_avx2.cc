#include "decoders/jpeg_rows_avx2.h"

#if defined(__AVX2__)

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "decoders/jpeg_colour_avx2.h"
#include "decoders/jpeg_upsample_avx2.h"

namespace dynjax {
namespace {

constexpr std::size_t kMargin = SamplePlane::kMargin;

constexpr std::size_t RoundUp(std::size_t n) { return (n + kMargin - 1) / kMargin * kMargin; }

}  // namespace

void SamplePlane::CopyRow(std::int32_t from, std::int32_t to) const {
  std::memcpy(Row(to) - kMargin, Row(from) - kMargin, stride);
}

PixelRows::PixelRows(const JpegPlan& plan, bool is_bgr, RowSink* sink)
    : plan_(plan), is_bgr_(is_bgr), sink_(sink) {}

std::size_t PixelRows::band_bytes() const {
  return sink_->is_direct() ? 0 : RowSink::kBandRows * sink_->source_row_bytes();
}

bool PixelRows::Allocate() {
  const std::int32_t columns = plan_.end_column - plan_.first_column + plan_.step;
  const std::size_t count = plan_.has_chroma ? 3 : 1;
  std::size_t bytes = band_bytes();
  for (std::size_t c = 0; c < count; ++c) {
    const auto& plane = plan_.planes[c];
    planes_[c].count = plane.unit_height;
    planes_[c].stride = RoundUp(static_cast<std::size_t>(columns * plane.unit_width)) + 2 * kMargin;
    bytes += planes_[c].stride * static_cast<std::size_t>(plane.unit_height + 2);
  }
  const std::size_t wide =
      RoundUp(static_cast<std::size_t>(plan_.part.width)) + kUpsampleSlack + kMargin;
  bytes += 3 * wide + kUpsampleSlack;
  memory_.reset(new (std::nothrow) std::byte[bytes]);
  if (memory_ == nullptr) return false;

  std::byte* next = memory_.get();
  const auto take = [&next](std::size_t size) {
    return reinterpret_cast<std::uint8_t*>(std::exchange(next, next + size));
  };
  sums_ = reinterpret_cast<std::uint16_t*>(take(wide));
  for (auto& row : wide_) row = take(wide);
  for (std::size_t c = 0; c < count; ++c) {
    planes_[c].rows = take(planes_[c].stride * static_cast<std::size_t>(planes_[c].count + 2));
  }
  band_ = reinterpret_cast<std::byte*>(take(band_bytes()));
  return true;
}

void PixelRows::Finish(std::int32_t row) {
  ExtendEdges(row);
  WriteRows(row);
  if (plan_.is_half_down) {
    for (const SamplePlane& plane : planes_) plane.CopyRow(plane.count, 0);
  }
}

// Repeats the chroma samples at the picture's edges, for the triangle filter.
void PixelRows::ExtendEdges(std::int32_t row) {
  if (!plan_.is_half_across) return;
  const auto& size = plan_.planes[1];
  const std::int32_t behind = size.width - plan_.first_column * size.unit_width;
  for (std::size_t c = 1; c < 3; ++c) {
    const SamplePlane& plane = planes_[c];
    for (std::int32_t i = 1; i <= plane.count; ++i) {
      std::uint8_t* const samples = plane.Row(i);
      if (plan_.first_column == 0) samples[-1] = samples[0];
      if (plan_.end_column == plan_.units_across) samples[behind] = samples[behind - 1];
    }
    if (!plan_.is_half_down) continue;
    if (row == 0) plane.CopyRow(1, 0);
    if (row + 1 == plan_.units_down) {
      const std::int32_t last = size.height - row * size.unit_height;
      plane.CopyRow(last, last + 1);
    }
  }
}

// Rows whose samples are complete. With vertical filtering the last one waits for the next units.
void PixelRows::WriteRows(std::int32_t row) {
  const std::int32_t height = plan_.planes[0].unit_height, top = row * height;
  const bool is_last = row + 1 == plan_.end_row;
  const std::int32_t wait = plan_.is_half_down ? 1 : 0;
  const std::int32_t first = std::max(top - wait, plan_.part.y);
  const std::int32_t end =
      std::min(top + height - (is_last ? 0 : wait), plan_.part.y + plan_.part.height);
  for (std::int32_t y = first; y < end; ++y) {
    WriteRow(y - top);
    CountRow();
  }
}

// `y` counts from the first row of the units; -1 is the one that waited.
void PixelRows::WriteRow(std::int32_t y) {
  std::uint8_t* const out = NextRow();
  const auto count = static_cast<std::size_t>(plan_.part.width);
  const auto first = [this](std::size_t c) {
    return plan_.first_column * plan_.planes[c].unit_width;
  };
  const std::uint8_t* const luma = planes_[0].Row(1 + y) + plan_.part.x - first(0);
  if (sink_->source().channels == 1) {
    std::memcpy(out, luma, count);
    return;
  }
  if (!plan_.has_chroma) {
    GrayToRgb(luma, count, out);
    return;
  }
  const std::uint8_t* chroma[2];
  for (std::size_t c = 1; c < 3; ++c) {
    chroma[c - 1] = plan_.is_half_across
                        ? Upsampled(planes_[c], y, plan_.part.x / 2 - first(c), wide_[c - 1])
                        : planes_[c].Row(1 + y) + plan_.part.x - first(c);
  }
  YCbCrToRgb(luma, chroma[0], chroma[1], count, is_bgr_, out);
}

// The part's chroma; `x` is the place of its first sample in the plane.
const std::uint8_t* PixelRows::Upsampled(const SamplePlane& plane, std::int32_t y, std::int32_t x,
                                         std::uint8_t* out) const {
  const std::int32_t odd = plan_.part.x % 2;
  const auto count = static_cast<std::size_t>((plan_.part.width + odd + 1) / 2);
  if (plan_.is_half_down) {
    const std::int32_t near = 1 + (y >> 1), far = y % 2 == 0 ? near - 1 : near + 1;
    UpsampleBoth(plane.Row(near) + x, plane.Row(far) + x, count, sums_, out);
  } else {
    UpsampleAcross(plane.Row(1 + y) + x, count, out);
  }
  return out + odd;
}

std::uint8_t* PixelRows::NextRow() const {
  return reinterpret_cast<std::uint8_t*>(
      sink_->is_direct() ? sink_->Row(written_)
                         : band_ + static_cast<std::size_t>(held_) * sink_->source_row_bytes());
}

void PixelRows::CountRow() {
  if (sink_->is_direct()) {
    ++written_;
  } else if (++held_ == RowSink::kBandRows) {
    Flush();
  }
}

void PixelRows::Flush() {
  if (held_ > 0) sink_->Write(written_, held_, band_, sink_->source_row_bytes());
  written_ += held_;
  held_ = 0;
}

}  // namespace dynjax

#endif
