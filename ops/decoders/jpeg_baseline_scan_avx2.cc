#include "decoders/jpeg_baseline_scan_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>

#include "decoders/jpeg_zigzag.h"

namespace dynjax {
namespace {

constexpr std::uint8_t kEndOfImage = 0xd9;

// Places in a BlockPair by zigzag order; what leads out of the block goes to that of the DC
// coefficient, which is written last.
constexpr std::array<std::uint8_t, 256> Places() {
  std::array<std::uint8_t, 256> places{};
  for (std::size_t k = 0; k < 64; ++k) places[k] = PairPlace(kNaturalOrder[k]);
  return places;
}
constexpr std::array<std::uint8_t, 256> kPlaces = Places();

}  // namespace

void UnitBlocks::Clear(std::size_t count) {
  // A call of memset would take longer than these few stores.
  for (std::size_t i = 0; i < count; ++i) {
    auto* const rows = reinterpret_cast<__m256i*>(pairs[i].values.data());
    for (int row = 0; row < 8; ++row) _mm256_store_si256(rows + row, _mm256_setzero_si256());
  }
  last.fill(0);
}

ScanReader::ScanReader(const JpegStream& stream, const JpegPlan& plan)
    : scan_(stream.scans[0]),
      segments_(scan_, window_.data()),
      reader_(segments_.Begin()),
      has_pairs_(stream.is_long),
      tables_(KeptTables::OfThread()) {
  const auto& luma = stream.frame.components[0];
  const bool is_wide = luma.h == 2;
  const auto rows = static_cast<std::size_t>(luma.v);
  for (std::size_t c = 0; c < scan_.count; ++c) {
    const auto& component = stream.frame.components[c];
    const bool is_wanted = c == 0 || plan.has_chroma;
    // An eighth of the size takes no more than the means of the blocks.
    const bool wants_ac = is_wanted && plan.planes[c].block > 1;
    const std::size_t dc = FirstWith(&JpegScan::Part::dc, c),
                      ac = FirstWith(&JpegScan::Part::ac, c);
    for (std::size_t i = 0; i < static_cast<std::size_t>(component.h * component.v); ++i) {
      Block& block = blocks_[block_count_++];
      block = {&tables_.dc[dc].table(),
               &tables_.ac[ac].table(),
               &tables_.ac[ac].pairs(),
               c,
               is_wanted,
               wants_ac,
               {},
               {}};
      if (c > 0) {
        block.pair = {rows, rows + 1};
        block.side = {c - 1, c - 1};
      } else if (is_wide) {
        block.pair = {i / 2, i / 2};
        block.side = {i % 2, i % 2};
      } else {
        block.pair = {0, 0};
        block.side = {0, 1};
      }
    }
  }
}

std::size_t ScanReader::FirstWith(HuffmanCode JpegScan::Part::* code, std::size_t c) const {
  std::size_t first = 0;
  while (!(scan_.parts[first].*code).IsSame(scan_.parts[c].*code)) ++first;
  return first;
}

bool ScanReader::BuildTables() {
  bool are_there = true;
  for (std::size_t c = 0; c < scan_.count; ++c) {
    const auto& part = scan_.parts[c];
    if (FirstWith(&JpegScan::Part::dc, c) == c && !tables_.dc[c].Set(HuffmanClass::kDc, part.dc)) {
      return false;
    }
    if (FirstWith(&JpegScan::Part::ac, c) != c) continue;
    if (!tables_.ac[c].Set(part.ac)) return false;
    are_there = are_there && tables_.ac[c].was_there();
  }
  // Pairs pay for a long stream, and for a short one that is probably one of many.
  has_pairs_ = has_pairs_ || are_there;
  if (!has_pairs_) return true;
  for (std::size_t c = 0; c < scan_.count; ++c) {
    if (FirstWith(&JpegScan::Part::ac, c) == c) tables_.ac[c].MakePairs();
  }
  return true;
}

DYNJAX_INLINE bool ScanReader::StartUnit(BitReader* reader) {
  const auto next = segments_.Unit(reader);
  if (next == ScanSegments::Next::kRestart) [[unlikely]]
    dc_.fill(0);
  return next != ScanSegments::Next::kEnd;
}

template <bool kHasPairs, typename Put>
DYNJAX_INLINE bool ScanReader::ReadBlock(BitReader* reader, const Block& block, const Put& put,
                                         std::int32_t* dc, int* last) {
  std::int32_t difference;
  if (!ReadDc(reader, *block.dc, &difference)) return false;
  *dc = dc_[block.component] += difference;
  if (*dc != static_cast<std::int16_t>(*dc)) return false;
  *last = (kHasPairs ? ReadAcPairs(reader, *block.ac, *block.pairs, 0, put)
                     : ReadAc(reader, *block.ac, 0, put))
              .last;
  return *last >= 0;
}

DYNJAX_INLINE void PutNothing(std::uint32_t, std::int32_t) {}

template <bool kHasPairs>
bool ScanReader::ReadUnit(std::size_t half, UnitBlocks* blocks) {
  BitReader reader = reader_;
  if (!StartUnit(&reader)) return false;
  for (std::size_t i = 0; i < block_count_; ++i) {
    const Block& block = blocks_[i];
    std::int32_t dc;
    int last;
    const std::size_t pair = block.pair[half];
    std::int16_t* const values = blocks->pairs[pair].values.data() + 8 * block.side[half];
    if (!block.wants_ac) {
      if (!ReadBlock<kHasPairs>(&reader, block, PutNothing, &dc, &last)) return false;
      if (block.is_wanted) values[0] = static_cast<std::int16_t>(dc);
      continue;
    }
    const auto put = [values](std::uint32_t k, std::int32_t value) {
      values[kPlaces[k]] = static_cast<std::int16_t>(value);
    };
    if (!ReadBlock<kHasPairs>(&reader, block, put, &dc, &last)) return false;
    values[0] = static_cast<std::int16_t>(dc);
    blocks->last[pair] = std::max(blocks->last[pair], last);
  }
  reader_ = reader;
  return true;
}

bool ScanReader::Read(std::size_t half, UnitBlocks* blocks) {
  return has_pairs_ ? ReadUnit<true>(half, blocks) : ReadUnit<false>(half, blocks);
}

template <bool kHasPairs>
bool ScanReader::SkipUnit() {
  BitReader reader = reader_;
  if (!StartUnit(&reader)) return false;
  for (std::size_t i = 0; i < block_count_; ++i) {
    std::int32_t dc;
    int last;
    if (!ReadBlock<kHasPairs>(&reader, blocks_[i], PutNothing, &dc, &last)) return false;
  }
  reader_ = reader;
  return true;
}

bool ScanReader::Skip(std::int64_t units) {
  for (; units > 0; --units) {
    if (!(has_pairs_ ? SkipUnit<true>() : SkipUnit<false>())) return false;
  }
  return true;
}

bool ScanReader::Finish() { return segments_.IsAtEnd(reader_, kEndOfImage); }

}  // namespace dynjax

#endif
