#include "decoders/jpeg_baseline_avx2.h"

#if defined(__AVX2__)

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "decoders/jpeg_colour_avx2.h"
#include "decoders/jpeg_scan_avx2.h"
#include "decoders/jpeg_upsample_avx2.h"

namespace dynjax {
namespace {

constexpr std::size_t kMargin = 32;  // before and behind the samples of a row

constexpr std::size_t RoundUp(std::size_t n) { return (n + kMargin - 1) / kMargin * kMargin; }

// The samples of one component in a row of units, with one row before and behind them.
struct Plane {
  std::uint8_t* rows = nullptr;
  std::size_t stride = 0;
  std::int32_t count = 0;  // rows of a row of units

  // Number 0 is the last row of the units above.
  std::uint8_t* Row(std::int32_t i) const {
    return rows + static_cast<std::size_t>(i) * stride + kMargin;
  }
  void CopyRow(std::int32_t from, std::int32_t to) const {
    std::memcpy(Row(to) - kMargin, Row(from) - kMargin, stride);
  }
};

// Takes finished rows, in order, and gives the sink as many at a time as it likes.
class Rows {
 public:
  explicit Rows(RowSink* sink) : sink_(sink) {}

  std::size_t band_bytes() const {
    return sink_->is_direct() ? 0 : RowSink::kBandRows * sink_->source_row_bytes();
  }
  void set_band(std::byte* band) { band_ = band; }

  std::uint8_t* Next() const {
    return reinterpret_cast<std::uint8_t*>(
        sink_->is_direct() ? sink_->Row(done_)
                           : band_ + static_cast<std::size_t>(held_) * sink_->source_row_bytes());
  }
  void Done() {
    if (sink_->is_direct()) {
      ++done_;
    } else if (++held_ == RowSink::kBandRows) {
      Flush();
    }
  }
  void Flush() {
    if (held_ > 0) sink_->Write(done_, held_, band_, sink_->source_row_bytes());
    done_ += held_;
    held_ = 0;
  }

 private:
  RowSink* sink_;
  std::byte* band_ = nullptr;
  std::int64_t done_ = 0;
  std::int32_t held_ = 0;
};

class Decoder {
 public:
  Decoder(Bytes encoded, const BaselineHeader& header, const BaselinePlan& plan, bool is_bgr,
          RowSink* sink)
      : plan_(plan),
        is_bgr_(is_bgr),
        luma_pairs_(plan.step == 1 ? static_cast<std::size_t>(header.components[0].v) : 1),
        channels_(sink->source().channels),
        scan_(encoded, header, plan.has_chroma),
        rows_(sink) {
    const auto& [luma, blue, red] = header.components;
    SetQuant(luma, luma, &luma_quant_);
    if (plan.has_chroma) SetQuant(blue, red, &chroma_quant_);
  }

  bool Allocate() {
    const std::int32_t columns = plan_.end_column - plan_.first_column + plan_.step;
    const std::size_t count = plan_.has_chroma ? 3 : 1;
    std::size_t bytes = rows_.band_bytes();
    for (std::size_t c = 0; c < count; ++c) {
      const auto& plane = plan_.planes[c];
      planes_[c].count = plane.unit_height;
      planes_[c].stride =
          RoundUp(static_cast<std::size_t>(columns * plane.unit_width)) + 2 * kMargin;
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
    rows_.set_band(reinterpret_cast<std::byte*>(take(rows_.band_bytes())));
    return true;
  }

  bool Decode() {
    if (!scan_.Skip(std::int64_t{plan_.first_row} * plan_.units_across)) return false;
    for (std::int32_t row = plan_.first_row; row < plan_.end_row; ++row) {
      if (!ReadRow() || excess_.Any() || scan_.IsBehindEnd()) return false;
      const bool is_last = row + 1 == plan_.end_row;
      if (!is_last || plan_.ReachesEnd()) {
        if (!scan_.Skip(plan_.units_across - plan_.end_column)) return false;
      }
      ExtendEdges(row);
      WriteRows(row);
      if (plan_.is_half_down) {
        for (const Plane& plane : planes_) plane.CopyRow(plane.count, 0);
      }
    }
    rows_.Flush();
    return !plan_.ReachesEnd() || scan_.Finish();
  }

 private:
  static void SetQuant(const BaselineComponent& first, const BaselineComponent& second,
                       QuantPair* quant) {
    for (std::size_t i = 0; i < 128; ++i) {
      const std::uint16_t q = (i % 16 < 8 ? first : second).quant[i / 16 * 8 + i % 8];
      quant->values[i] = q;
      quant->times4[i] = static_cast<std::uint16_t>(4 * q);
    }
  }

  // Coefficients and samples of the units that are needed of a row.
  bool ReadRow() {
    if (!scan_.Skip(plan_.first_column)) return false;
    const auto step = static_cast<std::size_t>(plan_.step);
    const std::size_t pairs = luma_pairs_ + (plan_.has_chroma ? step : 0);
    for (std::int32_t column = plan_.first_column; column < plan_.end_column;
         column += plan_.step) {
      blocks_.Clear(pairs);
      for (std::size_t i = 0; i < step && column + static_cast<std::int32_t>(i) < plan_.end_column;
           ++i) {
        if (!scan_.Read(i, &blocks_)) return false;
      }
      Transform(column - plan_.first_column);
    }
    return true;
  }

  void Transform(std::int32_t column) {
    const auto& size = plan_.planes;
    for (std::size_t i = 0; i < luma_pairs_; ++i) {
      std::uint8_t* const to = planes_[0].Row(1 + static_cast<std::int32_t>(i) * size[0].block) +
                               column * size[0].unit_width;
      TransformPair(size[0].block, blocks_.pairs[i], luma_quant_, blocks_.last[i],
                    {to, to + size[0].block, static_cast<std::ptrdiff_t>(planes_[0].stride)},
                    &excess_);
    }
    if (!plan_.has_chroma) return;
    for (std::int32_t i = 0; i < plan_.step; ++i) {
      const std::size_t pair = luma_pairs_ + static_cast<std::size_t>(i);
      const std::int32_t at = (column + i) * size[1].unit_width;
      TransformPair(size[1].block, blocks_.pairs[pair], chroma_quant_, blocks_.last[pair],
                    {planes_[1].Row(1) + at, planes_[2].Row(1) + at,
                     static_cast<std::ptrdiff_t>(planes_[1].stride)},
                    &excess_);
    }
  }

  // Repeats the chroma samples at the picture's edges, for the triangle filter.
  void ExtendEdges(std::int32_t row) {
    if (!plan_.is_half_across) return;
    const auto& size = plan_.planes[1];
    const std::int32_t behind = size.width - plan_.first_column * size.unit_width;
    for (std::size_t c = 1; c < 3; ++c) {
      const Plane& plane = planes_[c];
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
  void WriteRows(std::int32_t row) {
    const std::int32_t height = plan_.planes[0].unit_height, top = row * height;
    const bool is_last = row + 1 == plan_.end_row;
    const std::int32_t wait = plan_.is_half_down ? 1 : 0;
    const std::int32_t first = std::max(top - wait, plan_.part.y);
    const std::int32_t end =
        std::min(top + height - (is_last ? 0 : wait), plan_.part.y + plan_.part.height);
    for (std::int32_t y = first; y < end; ++y) {
      WriteRow(y - top);
      rows_.Done();
    }
  }

  // `y` counts from the first row of the units; -1 is the one that waited.
  void WriteRow(std::int32_t y) {
    std::uint8_t* const out = rows_.Next();
    const auto count = static_cast<std::size_t>(plan_.part.width);
    const auto first = [this](std::size_t c) {
      return plan_.first_column * plan_.planes[c].unit_width;
    };
    const std::uint8_t* const luma = planes_[0].Row(1 + y) + plan_.part.x - first(0);
    if (channels_ == 1) {
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
  const std::uint8_t* Upsampled(const Plane& plane, std::int32_t y, std::int32_t x,
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

  const BaselinePlan& plan_;
  const bool is_bgr_;
  const std::size_t luma_pairs_;
  const std::int32_t channels_;
  ScanReader scan_;
  Rows rows_;
  UnitBlocks blocks_;
  QuantPair luma_quant_, chroma_quant_;
  Excess excess_;
  std::array<Plane, 3> planes_;
  std::unique_ptr<std::byte[]> memory_;
  std::uint16_t* sums_ = nullptr;
  std::array<std::uint8_t*, 2> wide_{};  // upsampled chroma
};

}  // namespace

bool DecodeBaselineAvx2(Bytes encoded, const BaselineHeader& header, const BaselinePlan& plan,
                        bool is_bgr, RowSink* sink) {
  Decoder decoder(encoded, header, plan, is_bgr, sink);
  return decoder.Allocate() && decoder.Decode();
}

}  // namespace dynjax

#endif
