// From the samples of JPEG blocks to rows of pixels.
#pragma once

#include <array>
#include <memory>

#include "decoders/jpeg_plan.h"
#include "decoders/row_sink.h"

namespace dynjax {

// The samples of one component in a row of units, with one row before and behind them.
struct SamplePlane {
  static constexpr std::size_t kMargin = 32;  // before and behind the samples of a row

  std::uint8_t* rows = nullptr;
  std::size_t stride = 0;
  std::int32_t count = 0;  // rows of a row of units

  // Number 0 is the last row of the units above.
  std::uint8_t* Row(std::int32_t i) const {
    return rows + static_cast<std::size_t>(i) * stride + kMargin;
  }
  void CopyRow(std::int32_t from, std::int32_t to) const;
};

// Takes the samples of one row of units after the other, from the plan's first row on.
class PixelRows {
 public:
  // Keeps the plan's address.
  PixelRows(const JpegPlan& plan, bool is_bgr, RowSink* sink);

  // False when there is no memory.
  bool Allocate();

  // Where samples of a component go: those of the units from the plan's first column on, and of
  // one unit more, so that blocks come in pairs. Row 1 is the first of the units.
  const SamplePlane& plane(std::size_t component) const { return planes_[component]; }

  // Once all samples of a row of units are there.
  void Finish(std::int32_t row);

  // After the last row.
  void Flush();

 private:
  std::size_t band_bytes() const;
  void ExtendEdges(std::int32_t row);
  void WriteRows(std::int32_t row);
  void WriteRow(std::int32_t y);
  std::uint8_t* NextRow() const;
  void CountRow();
  const std::uint8_t* Upsampled(const SamplePlane& plane, std::int32_t y, std::int32_t x,
                                std::uint8_t* out) const;

  const JpegPlan& plan_;
  const bool is_bgr_;
  RowSink* sink_;
  std::array<SamplePlane, 3> planes_;
  std::unique_ptr<std::byte[]> memory_;
  std::uint16_t* sums_ = nullptr;
  std::array<std::uint8_t*, 2> wide_{};  // upsampled chroma
  // The sink has `written_` rows, and `band_` those behind them that wait to be of some number.
  std::byte* band_ = nullptr;
  std::int64_t written_ = 0;
  std::int32_t held_ = 0;
};

}  // namespace dynjax
