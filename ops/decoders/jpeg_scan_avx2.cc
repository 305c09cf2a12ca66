#include "decoders/jpeg_scan_avx2.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <algorithm>

namespace dynjax {
namespace {

constexpr std::uint8_t kEndOfImage = 0xd9, kFirstRestart = 0xd0;

// Bytes of a scan that make it worth while to build tables of pairs.
constexpr std::size_t kManyBytes = 24 << 10;

// Places in a BlockPair by zigzag order; what leads out of the block goes to that of the DC
// coefficient, which is written last.
constexpr std::array<std::uint8_t, 256> Places() {
  std::array<std::uint8_t, 256> places{};
  int row = 0, column = 0;
  for (std::size_t k = 0; k < 64; ++k) {
    places[k] = static_cast<std::uint8_t>(16 * row + column);
    const bool is_upward = (row + column) % 2 == 0;
    int& ahead = is_upward ? column : row;
    int& back = is_upward ? row : column;
    if (ahead == 7) {
      ++back;
    } else {
      ++ahead;
      if (back > 0) --back;
    }
  }
  return places;
}
constexpr std::array<std::uint8_t, 256> kPlaces = Places();
static_assert(kPlaces[2] == 16 && kPlaces[9] == 48 && kPlaces[35] == 7 * 16 && kPlaces[63] == 119 &&
              kPlaces[64] == 0);

}  // namespace

void UnitBlocks::Clear(std::size_t count) {
  // A call of memset would take longer than these few stores.
  for (std::size_t i = 0; i < count; ++i) {
    auto* const rows = reinterpret_cast<__m256i*>(pairs[i].values.data());
    for (int row = 0; row < 8; ++row) _mm256_store_si256(rows + row, _mm256_setzero_si256());
  }
  last.fill(0);
}

ScanReader::ScanReader(Bytes encoded, const BaselineHeader& header, bool has_chroma)
    : bytes_(encoded, header.scan),
      reader_{.at = bytes_.Begin()},
      component_count_(static_cast<std::size_t>(header.count)),
      interval_(header.restart_interval),
      left_(header.restart_interval),
      has_pairs_(encoded.size() - header.scan >= kManyBytes) {
  const auto& luma = header.components[0];
  const bool is_wide = luma.h == 2;
  const auto rows = static_cast<std::size_t>(luma.v);
  for (std::size_t c = 0; c < component_count_; ++c) {
    const auto& component = header.components[c];
    const HuffmanTable& ac = header.ac_tables[component.ac_number];
    // Components may share a table; Cb and Cr mostly do.
    std::size_t owner = 0;
    while (header.components[owner].ac_number != component.ac_number) ++owner;
    const HuffmanPairs* const pairs = &pairs_[owner];
    if (owner == c && has_pairs_) BuildHuffmanPairs(ac, &pairs_[c]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(component.h * component.v); ++i) {
      Block& block = blocks_[block_count_++];
      block = {&header.dc_tables[component.dc_number], &ac, pairs, c, c == 0 || has_chroma, {}, {}};
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

bool ScanReader::IsBehindEnd() const {
  return (reader_.at - bytes_.end()) * 8 > static_cast<std::ptrdiff_t>(reader_.count);
}

bool ScanReader::Restart() {
  if (IsBehindEnd() || bytes_.NextMarker() != kFirstRestart + next_restart_) return false;
  next_restart_ = (next_restart_ + 1) % 8;
  left_ = interval_;
  dc_.fill(0);
  reader_ = {.at = bytes_.Begin()};
  return true;
}

bool ScanReader::StartUnit() {
  if (interval_ > 0 && left_-- == 0) {
    if (!Restart()) return false;
    --left_;
  }
  return reader_.at <= bytes_.limit() || bytes_.Advance(&reader_.at);
}

DYNJAX_INLINE bool ScanReader::NextDc(BitReader* reader, const Block& block, std::int32_t* dc) {
  std::int32_t difference;
  if (!ReadDc(reader, *block.dc, &difference)) return false;
  *dc = dc_[block.component] += difference;
  return *dc == static_cast<std::int16_t>(*dc);
}

template <bool kHasPairs, bool kIsWanted>
DYNJAX_INLINE int ReadAcOf(BitReader* reader, const HuffmanTable& table, const HuffmanPairs& pairs,
                           std::int16_t* values) {
  return kHasPairs ? ReadAcPairs<kIsWanted>(reader, table, pairs, kPlaces.data(), values)
                   : ReadAc<kIsWanted>(reader, table, kPlaces.data(), values);
}

template <bool kHasPairs>
bool ScanReader::ReadUnit(std::size_t half, UnitBlocks* blocks) {
  if (!StartUnit()) return false;
  BitReader reader = reader_;
  for (std::size_t i = 0; i < block_count_; ++i) {
    const Block& block = blocks_[i];
    std::int32_t dc;
    if (!NextDc(&reader, block, &dc)) return false;
    if (!block.is_wanted) {
      if (ReadAcOf<kHasPairs, false>(&reader, *block.ac, *block.pairs, nullptr) < 0) return false;
      continue;
    }
    const std::size_t pair = block.pair[half];
    std::int16_t* const values = blocks->pairs[pair].values.data() + 8 * block.side[half];
    const int last = ReadAcOf<kHasPairs, true>(&reader, *block.ac, *block.pairs, values);
    if (last < 0) return false;
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
  if (!StartUnit()) return false;
  BitReader reader = reader_;
  for (std::size_t i = 0; i < block_count_; ++i) {
    const Block& block = blocks_[i];
    std::int32_t dc;
    if (!NextDc(&reader, block, &dc)) return false;
    if (ReadAcOf<kHasPairs, false>(&reader, *block.ac, *block.pairs, nullptr) < 0) return false;
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

bool ScanReader::Finish() { return !IsBehindEnd() && bytes_.NextMarker() == kEndOfImage; }

}  // namespace dynjax

#endif
