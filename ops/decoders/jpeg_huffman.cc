#include "decoders/jpeg_huffman.h"

#include <algorithm>

namespace dynjax {
namespace {

// The largest sizes that coefficients of 8-bit pictures have. The bit reader counts on them.
constexpr int kMaxDcSize = 11, kMaxAcSize = 10;

constexpr HuffmanEntry Entry(int code_bits, int value_bits, std::uint32_t advance) {
  return static_cast<HuffmanEntry>(code_bits + value_bits) |
         static_cast<HuffmanEntry>(code_bits) << 8 |
         static_cast<HuffmanEntry>(63 - value_bits) << 16 | advance << 24;
}

// `ahead` are the bits of the first symbol, which has no value of its own with `last` alone.
constexpr HuffmanPair Pair(std::uint32_t first_move, std::int32_t first, std::uint32_t ahead,
                           std::uint32_t last_move, HuffmanEntry last) {
  const HuffmanPair breaks =
      first_move + last_move >= HuffmanTable::kLongCode ? HuffmanPairs::kBreak : 0;
  return breaks | HuffmanPair{ahead + (last & 63)} | HuffmanPair{first_move} << 8 |
         HuffmanPair{static_cast<std::uint16_t>(first)} << 16 | HuffmanPair{last_move} << 32 |
         HuffmanPair{ahead + (last >> 8 & 63)} << 40 | HuffmanPair{last >> 16 & 63} << 48;
}

// 0 for a symbol that is none.
HuffmanEntry EntryOf(HuffmanClass kind, int bits, std::uint8_t symbol) {
  const int run = symbol >> 4, size = symbol & 15;
  if (kind == HuffmanClass::kDc) return symbol > kMaxDcSize ? 0 : Entry(bits, size, 0);
  if (size > 0 || run == 15) {  // 15 with size 0 is a run of sixteen zeros
    if (size > (kind == HuffmanClass::kFurtherAc ? 1 : kMaxAcSize)) return 0;
    return Entry(bits, size, static_cast<std::uint32_t>(run) + 1);
  }
  if (kind == HuffmanClass::kAc && run > 0) return 0;
  return Entry(bits, run, HuffmanTable::kEndOfBlock);
}

// The value behind a code at the top of the lowest HuffmanPairs::kBits of `bits`.
std::int32_t ValueIn(std::uint32_t bits, HuffmanEntry entry) {
  const std::uint32_t size = 63 - (entry >> 16 & 63);
  if (size == 0) return 0;
  const std::uint32_t value =
      bits >> (static_cast<std::uint32_t>(HuffmanPairs::kBits) - (entry & 63)) & ((1u << size) - 1);
  const bool is_negative = value >> (size - 1) == 0;
  return static_cast<std::int32_t>(value) - (is_negative ? (1 << size) - 1 : 0);
}

// The end of more than one block, whose number the pairs have no room for.
bool IsLongRun(HuffmanEntry entry) {
  return entry >> 24 == HuffmanTable::kEndOfBlock && (entry >> 16 & 63) != 63;
}

constexpr HuffmanEntry kLong = HuffmanTable::kLongCode << 24;

}  // namespace

bool BuildHuffmanTable(HuffmanClass kind, const HuffmanCode& from, HuffmanTable* table) {
  HuffmanEntry* next = table->entries.data();
  std::uint32_t code = 0;
  std::size_t at = 0;
  for (int bits = 1; bits <= 16; ++bits) {
    table->offsets[static_cast<std::size_t>(bits)] =
        static_cast<std::int32_t>(at) - static_cast<std::int32_t>(code);
    for (int i = 0; i < from.counts[static_cast<std::size_t>(bits) - 1]; ++i, ++code, ++at) {
      const HuffmanEntry entry = EntryOf(kind, bits, from.symbols[at]);
      if (entry == 0) return false;
      table->symbols[at] = entry;
      if (bits <= HuffmanTable::kLookupBits && code < 1u << bits) {
        // Codes ascend, and so do the bits that begin with them.
        next = std::fill_n(next, 1u << (HuffmanTable::kLookupBits - bits), entry);
      }
    }
    // A code of ones alone is reserved.
    if (code >= 1u << bits) return false;
    table->limits[static_cast<std::size_t>(bits)] = code << (16 - bits);
    code <<= 1;
  }
  std::fill(next, table->entries.data() + table->entries.size(), kLong);
  return true;
}

void BuildHuffmanPairs(const HuffmanTable& table, HuffmanPairs* pairs) {
  constexpr std::uint32_t kBits = HuffmanPairs::kBits, kCount = 1u << kBits;
  constexpr int kMore = HuffmanPairs::kBits - HuffmanTable::kLookupBits;
  static_assert(kMore >= 0);
  for (std::uint32_t bits = 0; bits < kCount; ++bits) {
    HuffmanPair& pair = pairs->entries[bits];
    const HuffmanEntry first = table.entries[bits >> kMore];
    const std::uint32_t used = first & 63, move = first >> 24;
    if (move == HuffmanTable::kLongCode || used > HuffmanPairs::kMaxBits || IsLongRun(first)) {
      pair = Pair(HuffmanTable::kLongCode, 0, 0, 0, Entry(0, 0, 0));
      continue;
    }
    pair = Pair(move, 0, 0, 0, first);
    if (move == HuffmanTable::kEndOfBlock || used >= kBits) continue;
    const std::uint32_t rest = bits << used & (kCount - 1);
    const HuffmanEntry second = table.entries[rest >> kMore];
    if (second >> 24 == HuffmanTable::kLongCode || used + (second >> 8 & 63) > kBits ||
        used + (second & 63) > HuffmanPairs::kMaxBits || IsLongRun(second)) {
      continue;
    }
    pair = Pair(move, ValueIn(bits, first), used, second >> 24, second);
  }
}

}  // namespace dynjax
