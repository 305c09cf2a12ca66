#include "decoders/jpeg_kept_tables.h"

#include <algorithm>

namespace dynjax {

bool KeptTable::Holds(HuffmanClass kind, const HuffmanCode& code) const {
  return is_made_ && kind == kind_ && std::ranges::equal(code.counts, counts_) &&
         std::ranges::equal(code.symbols, Bytes(symbols_.data(), symbol_count_));
}

bool KeptTable::Set(HuffmanClass kind, const HuffmanCode& code) {
  was_there_ = Holds(kind, code);
  if (was_there_) return true;
  is_made_ = false;
  if (code.counts.size() != kCounts || code.symbols.size() > symbols_.size()) return false;
  if (!BuildHuffmanTable(kind, code, &table_)) return false;
  std::ranges::copy(code.counts, counts_.begin());
  std::ranges::copy(code.symbols, symbols_.begin());
  symbol_count_ = code.symbols.size();
  kind_ = kind;
  is_made_ = true;
  return true;
}

bool KeptAcTable::Set(const HuffmanCode& code) {
  const bool is_set = table_.Set(HuffmanClass::kAc, code);
  if (!table_.was_there()) has_pairs_ = false;
  return is_set;
}

void KeptAcTable::MakePairs() {
  if (!has_pairs_) BuildHuffmanPairs(table_.table(), &pairs_);
  has_pairs_ = true;
}

KeptTables& KeptTables::OfThread() {
  thread_local KeptTables tables;
  return tables;
}

}  // namespace dynjax
