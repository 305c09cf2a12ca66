#include "decoders/jpeg_progressive_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "decoders/jpeg_progressive_scan_avx2.h"
#include "decoders/jpeg_rows_avx2.h"

namespace dynjax {
namespace {

// All scans are read side by side, a row of units at a time. So their coefficients take the memory
// of one row, and stay in the second-level cache.
class Decoder {
 public:
  Decoder(const JpegStream& stream, const JpegPlan& plan, bool is_bgr, RowSink* sink)
      : stream_(stream), plan_(plan), rows_(plan, is_bgr, sink) {
    const JpegFrame& frame = stream.frame;
    for (std::size_t c = 0; c < count(); ++c) SetComponent(frame, c);
  }

  bool Prepare() { return PrepareCoefficients() && PrepareScans() && rows_.Allocate(); }

  bool Decode() {
    for (std::int32_t row = 0; row < plan_.end_row; ++row) {
      const bool is_wanted = row >= plan_.first_row;
      for (std::size_t i = 0; i < scan_count_; ++i) {
        if (!scans_[i]->Read(row, is_wanted, &components_)) return false;
      }
      if (is_wanted) {
        for (std::size_t c = 0; c < wanted_count(); ++c) Transform(c);
        if (excess_.Any()) return false;
        rows_.Finish(row);
      }
      std::fill_n(nonzero_.get(), blocks_, std::uint64_t{0});
    }
    rows_.Flush();
    return !plan_.ReachesEnd() || std::all_of(scans_.begin(), scans_.begin() + scan_count_,
                                              [](auto& scan) { return scan->Finish(); });
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(stream_.frame.count); }
  std::size_t wanted_count() const { return plan_.has_chroma ? 3 : 1; }

  void SetComponent(const JpegFrame& frame, std::size_t c) {
    const auto& component = frame.components[c];
    const auto& luma = frame.components[0];
    const auto blocks = [](std::int32_t size, std::int32_t factor, std::int32_t most) {
      return (size * factor + 8 * most - 1) / (8 * most);
    };
    CoefficientRow& of = components_[c];
    of.across = plan_.units_across * component.h;
    of.down = component.v;
    of.picture_across = blocks(frame.width, component.h, luma.h);
    of.picture_down = blocks(frame.height, component.v, luma.v);
    of.first = plan_.first_column * component.h;
    of.end = plan_.end_column * component.h;
    of.stride = of.across + 1;  // the last one may need a partner
    of.pair_stride = (of.end - of.first + 1) / 2;
    if (c < wanted_count()) quant_[c].Set(component.quant, component.quant);
  }

  bool PrepareCoefficients() {
    std::size_t pairs = 0;
    for (std::size_t c = 0; c < count(); ++c) {
      blocks_ += static_cast<std::size_t>(components_[c].stride * components_[c].down);
      pairs += PairCount(c);
    }
    dc_.reset(new (std::nothrow) std::int16_t[blocks_]());
    nonzero_.reset(new (std::nothrow) std::uint64_t[blocks_]());
    pairs_.reset(new (std::nothrow) BlockPair[pairs]());
    if (dc_ == nullptr || nonzero_ == nullptr || pairs_ == nullptr) return false;
    std::size_t block = 0, pair = 0;
    for (std::size_t c = 0; c < count(); ++c) {
      CoefficientRow& of = components_[c];
      of.dc = dc_.get() + block;
      of.nonzero = nonzero_.get() + block;
      of.pairs = pairs_.get() + pair;
      block += static_cast<std::size_t>(of.stride * of.down);
      pair += PairCount(c);
    }
    return true;
  }

  std::size_t PairCount(std::size_t c) const {
    if (c >= wanted_count()) return 0;
    return static_cast<std::size_t>(components_[c].pair_stride * components_[c].down);
  }

  // An eighth of the size takes no more than the means of the blocks.
  bool IsWanted(const JpegScan& scan) const {
    const std::size_t c = scan.parts[0].component;
    return scan.count > 1 || (c < wanted_count() && (scan.first == 0 || plan_.planes[c].block > 1));
  }
  bool HasPairs(const JpegScan& scan) const {
    return stream_.is_long && ProgressiveScan::HasPairs(scan);
  }

  bool PrepareScans() {
    const std::span scans(stream_.scans.data(), stream_.scan_count);
    std::size_t window = 0, table = 0, pairs = 0;
    for (const JpegScan& scan : scans) {
      if (!IsWanted(scan)) continue;
      window += EntropyBytes::Memory(scan.data);
      table += ProgressiveScan::Tables(scan);
      pairs += HasPairs(scan) ? 1 : 0;
    }
    windows_.reset(new (std::nothrow) std::uint8_t[window]);
    tables_.reset(new (std::nothrow) HuffmanTable[table]);
    huffman_pairs_.reset(new (std::nothrow) HuffmanPairs[pairs]);
    if (windows_ == nullptr || tables_ == nullptr || huffman_pairs_ == nullptr) return false;
    ProgressiveScan::Memory next{windows_.get(), tables_.get(), huffman_pairs_.get()};
    for (const JpegScan& scan : scans) {
      if (!IsWanted(scan)) {
        // Bits that are read past change nothing, but wrong tables are an error of libjpeg's.
        if (!ProgressiveScan::HasGoodTables(scan)) return false;
        continue;
      }
      auto memory = next;
      if (!HasPairs(scan)) memory.pairs = nullptr;
      auto& reader = scans_[scan_count_++];
      reader.emplace(scan, memory);
      if (!reader->BuildTables()) return false;
      next.window += EntropyBytes::Memory(scan.data);
      next.tables += ProgressiveScan::Tables(scan);
      next.pairs += HasPairs(scan) ? 1 : 0;
    }
    return true;
  }

  // Leaves the coefficients zero for the next row.
  void Transform(std::size_t c) {
    const CoefficientRow& of = components_[c];
    const std::int32_t size = plan_.planes[c].block;
    const SamplePlane& plane = rows_.plane(c);
    for (std::int32_t y = 0; y < of.down; ++y) {
      const std::int16_t* const dc = of.dc + y * of.stride + of.first;
      const std::uint64_t* const nonzero = of.nonzero + y * of.stride + of.first;
      std::uint8_t* to = plane.Row(1 + y * size);
      for (std::int32_t i = 0; i < of.pair_stride; ++i, to += 2 * size) {
        BlockPair& pair = of.pairs[y * of.pair_stride + i];
        pair.values[0] = dc[2 * i];
        pair.values[8] = dc[2 * i + 1];
        const std::uint64_t either = nonzero[2 * i] | nonzero[2 * i + 1];
        const int last = 63 - std::countl_zero(either | 1);
        TransformPair(size, pair, quant_[c], last,
                      {to, to + size, static_cast<std::ptrdiff_t>(plane.stride)}, &excess_);
        if (last > 0) pair.values.fill(0);
      }
    }
  }

  const JpegStream& stream_;
  const JpegPlan& plan_;
  PixelRows rows_;
  std::array<QuantPair, 3> quant_;
  Excess excess_;
  std::array<CoefficientRow, 3> components_;
  std::size_t blocks_ = 0;  // of all components
  std::unique_ptr<std::int16_t[]> dc_;
  std::unique_ptr<std::uint64_t[]> nonzero_;
  std::unique_ptr<BlockPair[]> pairs_;
  std::unique_ptr<std::uint8_t[]> windows_;
  std::unique_ptr<HuffmanTable[]> tables_;
  std::unique_ptr<HuffmanPairs[]> huffman_pairs_;
  std::array<std::optional<ProgressiveScan>, JpegStream::kMaxScans> scans_;
  std::size_t scan_count_ = 0;
};

}  // namespace

bool DecodeProgressiveAvx2(const JpegStream& stream, const JpegPlan& plan, bool is_bgr,
                           RowSink* sink) {
  Decoder decoder(stream, plan, is_bgr, sink);
  return decoder.Prepare() && decoder.Decode();
}

}  // namespace dynjax

#endif
