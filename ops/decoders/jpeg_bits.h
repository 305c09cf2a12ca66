// Reads the Huffman-coded coefficients of JPEG blocks.
//
// Everything here is inlined by force: it is compiled for the instruction set of the file that
// includes it, and a copy outside that file might be picked by the linker for another one.
#pragma once

#include <cstdint>
#include <cstring>

#include "decoders/jpeg_huffman.h"

namespace dynjax {

#define DYNJAX_INLINE [[gnu::always_inline]] inline

// The value behind the first `ahead` of these bits: its bits if the first of them is set, else what
// makes the lowest value the negative of the highest. `less` is 63 less their number. Of both only
// the lowest six bits count.
DYNJAX_INLINE std::int32_t ValueBehind(std::uint64_t bits, std::uint64_t ahead,
                                       std::uint64_t less) {
  const std::uint64_t value = bits << (ahead & 63);
  const std::uint64_t is_negative =
      ~static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> 63);
  // Two shifts, because one of 64, for a value of no bits, would be one of 0.
  const std::uint64_t size = (value ^ is_negative) >> 1 >> (less & 63);
  return static_cast<std::int32_t>((size ^ is_negative) - is_negative);
}

struct BitReader {
  const std::uint8_t* at;   // of the first byte that is not counted in `count`
  std::uint64_t bits = 0;   // the next ones, from the top
  std::uint64_t count = 0;  // of valid ones; what lies below them agrees with the bytes at `at`

  // Afterwards there are at least 56 bits. Reads eight bytes.
  DYNJAX_INLINE void Refill() {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    bits |= __builtin_bswap64(word) >> count;
    at += (63 - count) >> 3;
    count |= 56;
  }

  DYNJAX_INLINE void Drop(HuffmanEntry entry) {
    bits <<= entry & 63;
    count -= entry & 63;
  }

  // The next `n` bits, of which there are as many; at most 63.
  DYNJAX_INLINE std::uint64_t Take(std::uint64_t n) {
    const std::uint64_t taken = bits >> 1 >> (63 - n);
    bits <<= n;
    count -= n;
    return taken;
  }

  // The same, when there may be only 32.
  DYNJAX_INLINE std::uint64_t TakeMany(std::uint64_t n) {
    if (n <= 32) [[likely]]
      return Take(n);
    Refill();
    const std::uint64_t first = Take(n - 32);
    Refill();
    return first << 32 | Take(32);
  }

  DYNJAX_INLINE HuffmanEntry Look(const HuffmanTable& table) const {
    return table.entries[bits >> (64 - HuffmanTable::kLookupBits)];
  }

  // For codes longer than the look-up; 0 when there is no such code.
  [[gnu::noinline, gnu::cold]] static HuffmanEntry LookFar(std::uint64_t bits,
                                                           const HuffmanTable& table) {
    const auto code = static_cast<std::uint32_t>(bits >> 48);
    for (std::size_t n = HuffmanTable::kLookupBits + 1; n <= 16; ++n) {
      if (code < table.limits[n]) {
        const std::int32_t at = static_cast<std::int32_t>(code >> (16 - n)) + table.offsets[n];
        return table.symbols[static_cast<std::size_t>(at)];
      }
    }
    return 0;
  }

  DYNJAX_INLINE std::int32_t Value(HuffmanEntry entry) const {
    return ValueBehind(bits, entry >> 8, entry >> 16);
  }

  // The number of blocks that end with this code.
  DYNJAX_INLINE std::uint32_t Ends(HuffmanEntry entry) const {
    const std::uint64_t behind = bits << (entry >> 8 & 63) >> 1 | std::uint64_t{1} << 63;
    return static_cast<std::uint32_t>(behind >> (entry >> 16 & 63));
  }
};

// The difference of the DC coefficient. False when the bits are no code.
DYNJAX_INLINE bool ReadDc(BitReader* reader, const HuffmanTable& table, std::int32_t* difference) {
  reader->Refill();
  HuffmanEntry entry = reader->Look(table);
  if (entry >> 24 != 0) [[unlikely]] {
    entry = BitReader::LookFar(reader->bits, table);
    if (entry == 0) return false;
  }
  *difference = reader->Value(entry);
  reader->Drop(entry);
  return true;
}

// How the reading of a block's AC coefficients ended.
struct BlockEnd {
  int last = -1;                // the last place, if the block is a good one
  std::uint32_t more_ends = 0;  // further blocks that end where they begin
};

// One AC symbol, which moves the place `*k`; `put` gets the place and the value behind the symbol.
// True at the end of the block, or where it goes wrong, with `*end` as it was.
template <typename Put>
DYNJAX_INLINE bool ReadAcSymbol(BitReader* reader, const HuffmanTable& table, const Put& put,
                                std::uint32_t* k, BlockEnd* end) {
  HuffmanEntry entry = reader->Look(table);
  if (entry >> 24 == HuffmanTable::kLongCode) [[unlikely]] {
    entry = BitReader::LookFar(reader->bits, table);
    if (entry == 0) return true;
  }
  *k += entry >> 24;
  if (*k > 63) {
    if (entry >> 24 == HuffmanTable::kEndOfBlock) {
      *end = {static_cast<int>(*k - HuffmanTable::kEndOfBlock), reader->Ends(entry) - 1};
      reader->Drop(entry);
    }
    return true;
  }
  put(*k, reader->Value(entry));
  reader->Drop(entry);
  if (*k < 63) return false;
  end->last = 63;
  return true;
}

// The AC coefficients of a block behind place `k`. Places given to `put` may lie beyond 63, where
// nothing is; values are 0 for runs of zeros alone. The last place is -1 when the bits are no code
// or lead out of the block, and `k` if there are no coefficients.
template <typename Put>
DYNJAX_INLINE BlockEnd ReadAc(BitReader* reader, const HuffmanTable& table, std::uint32_t k,
                              const Put& put) {
  BlockEnd end;
  while (true) {
    reader->Refill();
    // One refill lasts for two codes of 16 bits and values of 10.
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      if (ReadAcSymbol(reader, table, put, &k, &end)) return end;
    }
  }
}

// The same by pairs.
template <typename Put>
DYNJAX_INLINE BlockEnd ReadAcPairs(BitReader* reader, const HuffmanTable& table,
                                   const HuffmanPairs& pairs, std::uint32_t k, const Put& put) {
  constexpr int kPairsPerRefill = 56 / HuffmanPairs::kMaxBits;
  while (true) {
    reader->Refill();
    HuffmanPair pair = 0;
#pragma GCC unroll 3
    for (int i = 0; i < kPairsPerRefill; ++i) {
      pair = pairs.entries[reader->bits >> (64 - HuffmanPairs::kBits)];
      k += pair >> 8 & 0xff;
      put(k, static_cast<std::int16_t>(pair >> 16));
      k += pair >> 32 & 0xff;
      put(k, ValueBehind(reader->bits, pair >> 40, pair >> 48));
      if ((pair & HuffmanPairs::kBreak) != 0) break;
      if (k >= 63) [[unlikely]]
        break;
      reader->bits <<= pair & 63;
      reader->count -= pair & 63;
    }
    if (k < 63) continue;
    if (k == 63) {
      reader->Drop(static_cast<HuffmanEntry>(pair));
      return {63};
    }
    // The end of the block; but behind place 63 there is none, and these bits are the next block's.
    const std::uint32_t moves = (pair >> 8 & 0xff) + (pair >> 32 & 0xff);
    if (moves >= HuffmanTable::kEndOfBlock && k < HuffmanTable::kEndOfBlock + 63) {
      reader->Drop(static_cast<HuffmanEntry>(pair));
      return {static_cast<int>(k - HuffmanTable::kEndOfBlock)};
    }
    k -= moves;
    reader->Refill();
    BlockEnd end;
    if (ReadAcSymbol(reader, table, put, &k, &end)) return end;
  }
}

}  // namespace dynjax
