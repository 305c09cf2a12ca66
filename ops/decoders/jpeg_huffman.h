// Huffman codes of a JPEG stream as look-up tables.
#pragma once

#include <array>
#include <cstdint>

#include "decoders/bytes.h"

namespace dynjax {

// A code as the stream has it: the numbers of codes of 1 to 16 bits, and their symbols.
struct HuffmanCode {
  Bytes counts, symbols;

  bool is_defined() const { return !counts.empty(); }
  // Whether both are one definition, so that they can share a table.
  bool IsSame(const HuffmanCode& other) const { return counts.data() == other.counts.data(); }
};

// What a code stands for: in an AC table a run of zeros and the size of the coefficient behind it,
// in a DC table the size of a difference. From the lowest byte up:
//   the bits of the code and of the value behind it, together
//   the bits of the code
//   63 less the bits of the value
//   how far the position in the block moves: the run and the coefficient itself, 0 in a DC table.
//     kEndOfBlock and kLongCode lead beyond any block, so that the decoder needs one comparison.
// An end of block may be that of several: their number is a 1 followed by the bits behind the code.
using HuffmanEntry = std::uint32_t;

struct HuffmanTable {
  // Longer codes are rare; a larger table would take the caches' room from the coefficients.
  static constexpr int kLookupBits = 10;
  static constexpr std::uint32_t kEndOfBlock = 0x80, kLongCode = 0x40;

  // By the next kLookupBits bits.
  alignas(64) std::array<HuffmanEntry, 1 << kLookupBits> entries;
  // For codes of n bits: what to add to a code to find its symbol, and the first number, of 16
  // bits, that no longer begins with one of n or fewer bits.
  std::array<std::uint32_t, 17> limits;
  std::array<std::int32_t, 17> offsets;
  std::array<HuffmanEntry, 256> symbols;
};

// Of AC codes: those of whole coefficients, those of coefficients' first bits, with ends of several
// blocks, and those of further bits, with coefficients of one bit.
enum class HuffmanClass { kDc, kAc, kFirstAc, kFurtherAc };

// False when this is no prefix code, or a symbol is none that 8-bit pictures have.
bool BuildHuffmanTable(HuffmanClass kind, const HuffmanCode& code, HuffmanTable* table);

// One or two AC symbols whose codes are among the next bits, and with two the first one's value,
// too. From the lowest byte up:
//   the bits of both
//   how far the position moves to the first coefficient, and in two bytes its value
//   how far it moves from there to the last
//   the bits ahead of the last one's value
//   63 less the bits of that value
//   kBreak, or nothing.
// One symbol alone moves to its coefficient at once; the first value is then 0.
// kEndOfBlock in the moves is as above; kLongCode stands for whatever does not fit.
using HuffmanPair = std::uint64_t;

struct HuffmanPairs {
  static constexpr int kBits = 10;
  // What both take at the most. More are rare, and fewer pairs would fit the bits at hand.
  static constexpr int kMaxBits = 18;
  // Whether there is a kEndOfBlock or kLongCode in the moves. The position says so, too, but later:
  // this is the branch that is mispredicted for nearly each block.
  static constexpr HuffmanPair kBreak = HuffmanPair{1} << 63;
  alignas(64) std::array<HuffmanPair, 1 << kBits> entries;  // by the next kBits bits
};

// Makes the pairs of an AC table. They make reading faster, and cost as much as reading two or
// three thousand coefficients.
void BuildHuffmanPairs(const HuffmanTable& table, HuffmanPairs* pairs);

}  // namespace dynjax
