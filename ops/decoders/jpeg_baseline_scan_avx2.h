// The coefficients of a sequential JPEG picture, one coded unit after another.
#pragma once

#include <array>

#include "decoders/jpeg_bits.h"
#include "decoders/jpeg_idct_avx2.h"
#include "decoders/jpeg_kept_tables.h"
#include "decoders/jpeg_plan.h"
#include "decoders/jpeg_segments.h"

namespace dynjax {

// The blocks of as many units as give whole pairs: first pairs of luma blocks that lie side by
// side, then, for each unit, one of the two chroma blocks.
struct UnitBlocks {
  static constexpr std::size_t kMaxPairs = 3;
  std::array<BlockPair, kMaxPairs> pairs;
  std::array<int, kMaxPairs> last;  // place in zigzag order, of both blocks

  void Clear(std::size_t pairs);
};

class ScanReader {
 public:
  // Reads past what the plan has no use for. Keeps the stream's address.
  ScanReader(const JpegStream& stream, const JpegPlan& plan);

  // Comes first. This and the following are false for an irregular stream.
  bool BuildTables();

  // Reads the next unit into `blocks`, which are clear; `half` is its number among those that share
  // them.
  bool Read(std::size_t half, UnitBlocks* blocks);

  // Passes over units.
  bool Skip(std::int64_t units);

  // Whether the last units took bits that are not there, which is found out no earlier than asked.
  bool IsBehindEnd() const { return segments_.IsBehindEnd(reader_); }

  // After the last unit: the picture ends there.
  bool Finish();

 private:
  static constexpr std::size_t kMaxBlocks = 6;

  struct Block {
    const HuffmanTable* dc;
    const HuffmanTable* ac;
    const HuffmanPairs* pairs;
    std::size_t component;
    bool is_wanted, wants_ac;
    // Among the unit's and the next one's; luma blocks may be of one pair.
    std::array<std::size_t, 2> pair, side;
  };

  template <bool kHasPairs>
  bool ReadUnit(std::size_t half, UnitBlocks* blocks);
  template <bool kHasPairs>
  bool SkipUnit();
  template <bool kHasPairs, typename Put>
  bool ReadBlock(BitReader* reader, const Block& block, const Put& put, std::int32_t* dc,
                 int* last);
  bool StartUnit(BitReader* reader);
  // The first component with the same code.
  std::size_t FirstWith(HuffmanCode JpegScan::Part::* code, std::size_t c) const;

  const JpegScan& scan_;
  std::array<std::uint8_t, EntropyBytes::kMaxMemory> window_;
  ScanSegments segments_;
  BitReader reader_;
  std::array<Block, kMaxBlocks> blocks_;
  std::size_t block_count_ = 0;
  std::array<std::int32_t, 3> dc_{};  // of the blocks before, by component
  bool has_pairs_;
  KeptTables& tables_;  // of components that share a code, by the first
};

}  // namespace dynjax
