// Look-up tables that stay from picture to picture.
#pragma once

#include <array>
#include <cstdint>

#include "decoders/jpeg_huffman.h"

namespace dynjax {

// The table of the code that was met last. Files of one set mostly share their codes, and the
// pixels of a small picture take less time than its tables.
class KeptTable {
 public:
  // Makes the table of a code, unless it is there; false as BuildHuffmanTable.
  bool Set(HuffmanClass kind, const HuffmanCode& code);
  const HuffmanTable& table() const { return table_; }
  // Whether `Set` found the table made.
  bool was_there() const { return was_there_; }

 private:
  static constexpr std::size_t kCounts = 16;

  bool Holds(HuffmanClass kind, const HuffmanCode& code) const;

  bool is_made_ = false, was_there_ = false;
  HuffmanClass kind_ = HuffmanClass::kDc;
  std::size_t symbol_count_ = 0;
  std::array<std::uint8_t, kCounts> counts_;
  std::array<std::uint8_t, 256> symbols_;
  HuffmanTable table_;
};

// With its pairs, if they are asked for.
class KeptAcTable {
 public:
  bool Set(const HuffmanCode& code);
  const HuffmanTable& table() const { return table_.table(); }
  bool was_there() const { return table_.was_there(); }
  void MakePairs();
  const HuffmanPairs& pairs() const { return pairs_; }

 private:
  KeptTable table_;
  bool has_pairs_ = false;
  HuffmanPairs pairs_;
};

// Those of the components of the picture that a thread decodes.
struct KeptTables {
  std::array<KeptTable, 3> dc;
  std::array<KeptAcTable, 3> ac;

  static KeptTables& OfThread();
};

}  // namespace dynjax
