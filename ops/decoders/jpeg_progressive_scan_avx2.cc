#include "decoders/jpeg_progressive_scan_avx2.h"

#if defined(__AVX2__)

#include <algorithm>

namespace dynjax {

std::size_t ProgressiveScan::Tables(const JpegScan& scan) {
  if (scan.first > 0) return 1;
  return scan.high == 0 ? scan.count : 0;
}

ProgressiveScan::ProgressiveScan(const JpegScan& scan, const Memory& memory)
    : scan_(scan),
      segments_(scan, memory.window),
      reader_(segments_.Begin()),
      band_{scan.first, scan.last, scan.low},
      tables_(memory.tables),
      pairs_(memory.pairs) {
  if (is_dc()) return;
  places_.fill(0);
  for (std::size_t k = scan.first; k <= scan.last; ++k) {
    places_[k + 63 - scan.last] = kPairPlaces[k];
  }
}

bool ProgressiveScan::BuildTable(const JpegScan& scan, std::size_t part, HuffmanTable* table) {
  const bool is_dc = scan.first == 0;
  const auto kind = is_dc            ? HuffmanClass::kDc
                    : scan.high == 0 ? HuffmanClass::kFirstAc
                                     : HuffmanClass::kFurtherAc;
  const auto& of = scan.parts[part];
  return BuildHuffmanTable(kind, is_dc ? of.dc : of.ac, table);
}

bool ProgressiveScan::HasGoodTables(const JpegScan& scan) {
  HuffmanTable table;
  for (std::size_t i = 0; i < Tables(scan); ++i) {
    if (!BuildTable(scan, i, &table)) return false;
  }
  return true;
}

bool ProgressiveScan::BuildTables() {
  for (std::size_t i = 0; i < Tables(scan_); ++i) {
    if (!BuildTable(scan_, i, &tables_[i])) return false;
  }
  if (pairs_ != nullptr) BuildHuffmanPairs(tables_[0], pairs_);
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
  const CoefficientRow& only = (*components)[scan_.parts[0].component];
  if (scan_.count == 1) {
    const std::int32_t down = std::min(only.down, only.picture_down - row * only.down);
    for (std::int32_t y = 0; y < down; ++y) {
      for (std::int32_t x = 0; x < only.picture_across; ++x) {
        if (!StartUnit(&reader) || !read(&reader, 0, only.dc + y * only.stride + x)) return false;
      }
    }
  } else {
    const std::int32_t units = (*components)[2].across;  // a block of chroma for each
    std::array<std::int32_t, 3> width;                   // of a unit, in blocks
    for (std::size_t i = 0; i < scan_.count; ++i) {
      width[i] = (*components)[scan_.parts[i].component].across / units;
    }
    for (std::int32_t unit = 0; unit < units; ++unit) {
      if (!StartUnit(&reader)) return false;
      for (std::size_t i = 0; i < scan_.count; ++i) {
        const CoefficientRow& of = (*components)[scan_.parts[i].component];
        const std::int32_t first = unit * width[i];
        for (std::int32_t y = 0; y < of.down; ++y) {
          for (std::int32_t x = first; x < first + width[i]; ++x) {
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
  return pairs_ != nullptr ? ReadAcBlocks<true, kIsWanted>(run)
                           : ReadAcBlocks<false, kIsWanted>(run);
}

template <bool kHasPairs, bool kIsWanted>
bool ProgressiveScan::ReadAcBlocks(const Run& run) {
  return scan_.high == 0 ? ReadFirstAc<kHasPairs, kIsWanted>(run)
                         : ReadFurtherAc<kHasPairs, kIsWanted>(run);
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
    const BlockEnd end = kHasPairs ? ReadAcPairs(&reader, tables_[0], *pairs_, start, put)
                                   : ReadAc(&reader, tables_[0], start, put);
    if (end.last < 0) return false;
    ends_ = end.more_ends;
    nonzero[x] |= found >> shift;
  }
  reader_ = reader;
  return true;
}

template <bool kHasPairs, bool kIsWanted>
bool ProgressiveScan::ReadFurtherAc(const Run& run) {
  BitReader reader = reader_;
  const AcCode code{tables_, pairs_, places_.data()};
  std::uint64_t* const nonzero = run.in->nonzero + run.y * run.in->stride;
  for (std::int32_t x = run.first; x < run.end; ++x) {
    std::int16_t* const values = kIsWanted ? run.in->Values(run.y, x) : nullptr;
    if (!StartUnit(&reader) ||
        !ReadFurtherBits<kHasPairs, kIsWanted>(&reader, code, band_, &ends_, nonzero + x, values)) {
      return false;
    }
  }
  reader_ = reader;
  return true;
}

}  // namespace dynjax

#endif
