#include "decoders/jpeg_progressive_scan_avx2.h"

#if defined(__AVX2__)

#include <algorithm>
#include <bit>

#include "decoders/jpeg_zigzag.h"

namespace dynjax {
namespace {

// Bytes of a scan that make it worth while to build tables of pairs.
constexpr std::size_t kManyBytes = 16 << 10;

// For each byte, the numbers of its bits that are set, a byte each.
constexpr std::array<std::uint64_t, 256> BitNumbers() {
  std::array<std::uint64_t, 256> numbers{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    int count = 0;
    for (std::uint64_t bit = 0; bit < 8; ++bit) {
      if (byte >> bit & 1) numbers[byte] |= bit << 8 * count++;
    }
  }
  return numbers;
}
constexpr std::array<std::uint64_t, 256> kBitNumbers = BitNumbers();

// The numbers of the bits of `mask` that are set.
struct BitList {
  std::array<std::uint8_t, 64 + 8> numbers;

  DYNJAX_INLINE explicit BitList(std::uint64_t mask) {
    std::uint8_t* to = numbers.data();
    for (std::uint64_t i = 0; i < 8; ++i) {
      const std::uint64_t byte = mask >> 8 * i & 0xff;
      const std::uint64_t eight = kBitNumbers[byte] + 0x0808080808080808 * i;
      std::memcpy(to, &eight, sizeof(eight));
      to += std::popcount(byte);
    }
  }
};

constexpr std::uint8_t Place(std::uint64_t k) { return PairPlace(kNaturalOrder[k]); }

// One more bit for coefficients that are not zero; the first of `bits` is the highest.
DYNJAX_INLINE void Correct(std::uint64_t nonzero, std::uint64_t bits, std::int32_t one,
                           std::int16_t* values) {
  bits <<= 64 - std::popcount(nonzero);
  for (; bits != 0; bits <<= 1, nonzero &= nonzero - 1) {
    std::int16_t& value = values[Place(static_cast<std::uint64_t>(std::countr_zero(nonzero)))];
    const std::int32_t sign = value >> 15;
    const auto is_more = static_cast<std::int32_t>(static_cast<std::int64_t>(bits) >> 63);
    value = static_cast<std::int16_t>(value + (((one ^ sign) - sign) & is_more));
  }
}

}  // namespace

ProgressiveScan::ProgressiveScan(const JpegScan& scan)
    : scan_(scan),
      segments_(scan),
      reader_(segments_.Begin()),
      has_pairs_(scan.data.size() >= kManyBytes) {
  if (is_dc()) return;
  band_ = ~std::uint64_t{0} >> (63 - scan.last) & ~std::uint64_t{0} << scan.first;
  places_.fill(0);
  for (std::size_t k = scan.first; k <= scan.last; ++k) places_[k + 63 - scan.last] = Place(k);
}

bool ProgressiveScan::BuildTables() {
  if (is_dc()) {
    for (std::size_t i = 0; i < scan_.count && scan_.high == 0; ++i) {
      if (!BuildHuffmanTable(HuffmanClass::kDc, scan_.parts[i].dc, &tables_[i])) return false;
    }
    return true;
  }
  const bool is_first = scan_.high == 0;
  const auto kind = is_first ? HuffmanClass::kFirstAc : HuffmanClass::kFurtherAc;
  if (!BuildHuffmanTable(kind, scan_.parts[0].ac, &tables_[0])) return false;
  if (is_first && has_pairs_) BuildHuffmanPairs(tables_[0], &pairs_);
  return true;
}

bool ProgressiveScan::Read(std::int32_t row, bool is_wanted,
                           std::array<CoefficientRow, 3>* components) {
  bool ok;
  if (is_dc()) {
    ok = scan_.high == 0 ? ReadFirstDc(row, components) : ReadFurtherDc(row, components);
  } else {
    ok = ReadAcRow(row, is_wanted, &(*components)[scan_.parts[0].component]);
  }
  return ok && !segments_.IsBehindEnd(reader_);
}

DYNJAX_INLINE bool ProgressiveScan::StartUnit(BitReader* reader) {
  const auto next = segments_.Unit(reader);
  if (next == ScanSegments::Next::kRestart) [[unlikely]] {
    dc_.fill(0);
    ends_ = 0;
  }
  return next != ScanSegments::Next::kEnd;
}

// Calls `read` for each block, with the bits, the part of the scan and the place for the value.
template <typename ReadBlock>
DYNJAX_INLINE bool ProgressiveScan::ReadDcBlocks(std::int32_t row,
                                                 std::array<CoefficientRow, 3>* components,
                                                 const ReadBlock& read) {
  BitReader reader = reader_;
  const CoefficientRow& first = (*components)[scan_.parts[0].component];
  if (scan_.count == 1) {
    const std::int32_t down = std::min(first.down, first.picture_down - row * first.down);
    for (std::int32_t y = 0; y < down; ++y) {
      for (std::int32_t x = 0; x < first.picture_across; ++x) {
        if (!StartUnit(&reader) || !read(&reader, 0, first.dc + y * first.stride + x)) return false;
      }
    }
  } else {
    const std::int32_t units = (*components)[2].across;  // a block of chroma for each
    for (std::int32_t unit = 0; unit < units; ++unit) {
      if (!StartUnit(&reader)) return false;
      for (std::size_t i = 0; i < scan_.count; ++i) {
        const CoefficientRow& of = (*components)[scan_.parts[i].component];
        const std::int32_t h = of.across / units;
        for (std::int32_t y = 0; y < of.down; ++y) {
          for (std::int32_t x = unit * h; x < (unit + 1) * h; ++x) {
            if (!read(&reader, i, of.dc + y * of.stride + x)) return false;
          }
        }
      }
    }
  }
  reader_ = reader;
  return true;
}

bool ProgressiveScan::ReadFirstDc(std::int32_t row, std::array<CoefficientRow, 3>* components) {
  const auto read = [this](BitReader* reader, std::size_t part, std::int16_t* to) {
    std::int32_t difference;
    if (!ReadDc(reader, tables_[part], &difference)) return false;
    dc_[part] += difference;
    if (dc_[part] != static_cast<std::int16_t>(dc_[part])) return false;
    const std::int32_t value = dc_[part] * (1 << scan_.low);
    *to = static_cast<std::int16_t>(value);
    return *to == value;
  };
  return ReadDcBlocks(row, components, read);
}

bool ProgressiveScan::ReadFurtherDc(std::int32_t row, std::array<CoefficientRow, 3>* components) {
  const auto read = [this](BitReader* reader, std::size_t, std::int16_t* to) {
    reader->Refill();
    *to = static_cast<std::int16_t>(*to | static_cast<std::int32_t>(reader->Take(1) << scan_.low));
    return true;
  };
  return ReadDcBlocks(row, components, read);
}

bool ProgressiveScan::ReadAcRow(std::int32_t row, bool is_wanted, CoefficientRow* of) {
  const std::int32_t down = std::min(of->down, of->picture_down - row * of->down);
  const std::int32_t across = of->picture_across;
  const std::int32_t first = is_wanted ? of->first : across;
  const std::int32_t end = std::min(of->end, across);
  for (std::int32_t y = 0; y < down; ++y) {
    if (!ReadAcRun<false>({of, y, 0, first})) return false;
    if (!is_wanted) continue;
    if (!ReadAcRun<true>({of, y, first, end}) || !ReadAcRun<false>({of, y, end, across})) {
      return false;
    }
  }
  return true;
}

template <bool kIsWanted>
bool ProgressiveScan::ReadAcRun(const Run& run) {
  if (run.first == run.end) return true;
  if (scan_.high != 0) return ReadFurtherAc<kIsWanted>(run);
  return has_pairs_ ? ReadFirstAc<true, kIsWanted>(run) : ReadFirstAc<false, kIsWanted>(run);
}

template <bool kHasPairs, bool kIsWanted>
bool ProgressiveScan::ReadFirstAc(const Run& run) {
  BitReader reader = reader_;
  const std::uint32_t shift = 63 - scan_.last, start = scan_.first - 1 + shift, low = scan_.low;
  std::uint64_t* const nonzero = run.in->nonzero + run.y * run.in->stride;
  for (std::int32_t x = run.first; x < run.end; ++x) {
    if (!StartUnit(&reader)) return false;
    if (ends_ > 0) {
      --ends_;
      continue;
    }
    std::int16_t* const values = kIsWanted ? run.in->Values(run.y, x) : nullptr;
    std::uint64_t found = 0;
    const auto put = [this, values, low, &found](std::uint32_t k, std::int32_t value) {
      if (kIsWanted) values[places_[k]] = static_cast<std::int16_t>(value * (1 << low));
      found |= std::uint64_t{value != 0 && k < 64} << (k & 63);
    };
    const BlockEnd end = kHasPairs ? ReadAcPairs(&reader, tables_[0], pairs_, start, put)
                                   : ReadAc(&reader, tables_[0], start, put);
    if (end.last < 0) return false;
    ends_ = end.more_ends;
    nonzero[x] |= found >> shift;
  }
  reader_ = reader;
  return true;
}

template <bool kIsWanted>
bool ProgressiveScan::ReadFurtherAc(const Run& run) {
  BitReader reader = reader_;
  std::uint64_t* const nonzero = run.in->nonzero + run.y * run.in->stride;
  for (std::int32_t x = run.first; x < run.end; ++x) {
    if (!StartUnit(&reader) ||
        !ReadFurtherBlock<kIsWanted>(&reader, nonzero + x,
                                     kIsWanted ? run.in->Values(run.y, x) : nullptr)) {
      return false;
    }
  }
  reader_ = reader;
  return true;
}

// A symbol stands for zeros that stay so, and one that may become 1 or -1. Between them lie
// coefficients that are not zero: for each of these a bit follows the symbol.
template <bool kIsWanted>
DYNJAX_INLINE bool ProgressiveScan::ReadFurtherBlock(BitReader* reader, std::uint64_t* nonzero,
                                                     std::int16_t* values) {
  const std::uint64_t old = *nonzero & band_;
  const auto old_count = static_cast<std::uint32_t>(std::popcount(old));
  std::uint64_t corrections = 0;
  std::uint32_t corrected = 0;
  const auto correct = [&](std::uint32_t count) {
    corrections = corrections << count | reader->TakeMany(count);
    corrected += count;
  };
  if (ends_ == 0) {
    const BitList zeros(band_ & ~old);
    const std::uint32_t zero_count = scan_.last - scan_.first + 1 - old_count;
    std::uint32_t next = ~std::uint32_t{0};
    while (true) {
      reader->Refill();
      HuffmanEntry entry = reader->Look(tables_[0]);
      if (entry >> 24 == HuffmanTable::kLongCode) [[unlikely]] {
        entry = BitReader::LookFar(reader->bits, tables_[0]);
        if (entry == 0) return false;
      }
      if (entry >> 24 == HuffmanTable::kEndOfBlock) {
        ends_ = reader->Ends(entry);
        reader->Drop(entry);
        break;
      }
      next += entry >> 24;
      if (next >= zero_count) return false;
      const std::uint32_t k = zeros.numbers[next];
      const std::int32_t value = reader->Value(entry);
      reader->Drop(entry);
      correct(k - scan_.first - next - corrected);
      if (kIsWanted) values[Place(k)] = static_cast<std::int16_t>(value * (1 << scan_.low));
      *nonzero |= std::uint64_t{value != 0} << k;
      if (k == scan_.last) break;
    }
  }
  if (ends_ > 0) {
    --ends_;
    reader->Refill();
    correct(old_count - corrected);
  }
  if (kIsWanted && corrections != 0) Correct(old, corrections, 1 << scan_.low, values);
  return true;
}

}  // namespace dynjax

#endif
