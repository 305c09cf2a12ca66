// The coefficients of a JPEG scan, one coded unit after another.
#pragma once

#include <array>

#include "decoders/jpeg_baseline_header.h"
#include "decoders/jpeg_bits.h"
#include "decoders/jpeg_entropy_bytes.h"
#include "decoders/jpeg_idct_avx2.h"

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
  // Without `has_chroma`, chroma coefficients are read past. Keeps the header's address.
  ScanReader(Bytes encoded, const BaselineHeader& header, bool has_chroma);

  // Reads the next unit into `blocks`, which are clear; `half` is its number among those that share
  // them. This and the following are false for an irregular stream.
  bool Read(std::size_t half, UnitBlocks* blocks);

  // Passes over units.
  bool Skip(std::int64_t units);

  // Whether the last units took bits that are not there, which is found out no earlier than asked.
  bool IsBehindEnd() const;

  // After the last unit: the picture ends there.
  bool Finish();

 private:
  static constexpr std::size_t kMaxBlocks = 6;

  struct Block {
    const HuffmanTable* dc;
    const HuffmanTable* ac;
    const HuffmanPairs* pairs;
    std::size_t component;
    bool is_wanted;
    // Among the unit's and the next one's; luma blocks may be of one pair.
    std::array<std::size_t, 2> pair, side;
  };

  template <bool kHasPairs>
  bool ReadUnit(std::size_t half, UnitBlocks* blocks);
  template <bool kHasPairs>
  bool SkipUnit();
  bool NextDc(BitReader* reader, const Block& block, std::int32_t* dc);
  bool StartUnit();
  bool Restart();

  EntropyBytes bytes_;
  BitReader reader_;
  std::array<Block, kMaxBlocks> blocks_;
  std::size_t block_count_ = 0, component_count_;
  std::array<std::int32_t, 3> dc_{};
  std::uint32_t interval_, left_;  // units from one restart marker to the next
  std::uint8_t next_restart_ = 0;
  bool has_pairs_;
  std::array<HuffmanPairs, 3> pairs_;
};

}  // namespace dynjax
