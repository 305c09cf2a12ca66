#include "decoders/jpeg_baseline_avx2.h"

#if defined(__AVX2__)

#include "decoders/jpeg_baseline_scan_avx2.h"
#include "decoders/jpeg_rows_avx2.h"

namespace dynjax {
namespace {

class Decoder {
 public:
  Decoder(const JpegStream& stream, const JpegPlan& plan, bool is_bgr, RowSink* sink)
      : plan_(plan),
        luma_pairs_(plan.step == 1 ? static_cast<std::size_t>(stream.frame.components[0].v) : 1),
        scan_(stream, plan),
        rows_(plan, is_bgr, sink) {
    const auto& [luma, blue, red] = stream.frame.components;
    luma_quant_.Set(luma.quant, luma.quant);
    if (plan.has_chroma) chroma_quant_.Set(blue.quant, red.quant);
  }

  bool Prepare() { return scan_.BuildTables() && rows_.Allocate(); }

  bool Decode() {
    if (!scan_.Skip(std::int64_t{plan_.first_row} * plan_.units_across)) return false;
    for (std::int32_t row = plan_.first_row; row < plan_.end_row; ++row) {
      if (!ReadRow() || excess_.Any() || scan_.IsBehindEnd()) return false;
      const bool is_last = row + 1 == plan_.end_row;
      if (!is_last || plan_.ReachesEnd()) {
        if (!scan_.Skip(plan_.units_across - plan_.end_column)) return false;
      }
      rows_.Finish(row);
    }
    rows_.Flush();
    return !plan_.ReachesEnd() || scan_.Finish();
  }

 private:
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
    const SamplePlane &luma = rows_.plane(0), &blue = rows_.plane(1), &red = rows_.plane(2);
    for (std::size_t i = 0; i < luma_pairs_; ++i) {
      std::uint8_t* const to =
          luma.Row(1 + static_cast<std::int32_t>(i) * size[0].block) + column * size[0].unit_width;
      TransformPair(size[0].block, blocks_.pairs[i], luma_quant_, blocks_.last[i],
                    {to, to + size[0].block, static_cast<std::ptrdiff_t>(luma.stride)}, &excess_);
    }
    if (!plan_.has_chroma) return;
    for (std::int32_t i = 0; i < plan_.step; ++i) {
      const std::size_t pair = luma_pairs_ + static_cast<std::size_t>(i);
      const std::int32_t at = (column + i) * size[1].unit_width;
      TransformPair(size[1].block, blocks_.pairs[pair], chroma_quant_, blocks_.last[pair],
                    {blue.Row(1) + at, red.Row(1) + at, static_cast<std::ptrdiff_t>(blue.stride)},
                    &excess_);
    }
  }

  const JpegPlan& plan_;
  const std::size_t luma_pairs_;
  ScanReader scan_;
  PixelRows rows_;
  UnitBlocks blocks_;
  QuantPair luma_quant_, chroma_quant_;
  Excess excess_;
};

}  // namespace

bool DecodeBaselineAvx2(const JpegStream& stream, const JpegPlan& plan, bool is_bgr,
                        RowSink* sink) {
  Decoder decoder(stream, plan, is_bgr, sink);
  return decoder.Prepare() && decoder.Decode();
}

}  // namespace dynjax

#endif
