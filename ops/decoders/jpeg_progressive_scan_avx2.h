// One scan of a progressive JPEG picture, read in step with the others.
#pragma once

#include <array>

#include "decoders/jpeg_coefficients.h"
#include "decoders/jpeg_further_bits.h"
#include "decoders/jpeg_segments.h"

namespace dynjax {

class ProgressiveScan {
 public:
  // No more than a scan needs: small pictures have as many scans as large ones, and to touch fresh
  // memory for them would take longer than the decoding.
  struct Memory {
    std::uint8_t* window;  // `EntropyBytes::Memory(scan.data)` bytes
    HuffmanTable* tables;  // `Tables(scan)`
    HuffmanPairs* pairs;   // one if `HasPairs(scan)` and the picture is a long one, or nullptr
  };
  static std::size_t Tables(const JpegScan& scan);
  static bool HasPairs(const JpegScan& scan) {
    return scan.first > 0 && scan.data.size() >= kManyBytes;
  }

  // Of a scan that is not read; false as `BuildTables` is.
  static bool HasGoodTables(const JpegScan& scan);

  // Keeps the scan's address.
  ProgressiveScan(const JpegScan& scan, const Memory& memory);

  // Comes first. This and the following are false for an irregular stream.
  bool BuildTables();

  // Reads the next row of units, number `row`; `is_wanted` if its AC coefficients are, rather than
  // only where they are not zero.
  bool Read(std::int32_t row, bool is_wanted, std::array<CoefficientRow, 3>* components);

  // After the last row: the scan ends there.
  bool Finish() { return segments_.IsAtEnd(reader_, scan_.data.back()); }

 private:
  // Bytes that make larger tables worth while, in a picture where these are.
  static constexpr std::size_t kManyBytes = 1 << 10;

  // Blocks beside each other.
  struct Run {
    CoefficientRow* in;
    std::int32_t y, first, end;
  };

  bool is_dc() const { return scan_.first == 0; }
  static bool BuildTable(const JpegScan& scan, std::size_t part, HuffmanTable* table);
  bool StartUnit(BitReader* reader);
  template <typename ReadBlock>
  bool ReadDcBlocks(std::int32_t row, std::array<CoefficientRow, 3>* components,
                    const ReadBlock& read);
  bool ReadFirstDc(std::int32_t row, std::array<CoefficientRow, 3>* components);
  bool ReadFurtherDc(std::int32_t row, std::array<CoefficientRow, 3>* components);
  bool ReadAcRow(std::int32_t row, bool is_wanted, CoefficientRow* of);
  template <bool kIsWanted>
  bool ReadAcRun(const Run& run);
  template <bool kHasPairs, bool kIsWanted>
  bool ReadAcBlocks(const Run& run);
  template <bool kHasPairs, bool kIsWanted>
  bool ReadFirstAc(const Run& run);
  template <bool kHasPairs, bool kIsWanted>
  bool ReadFurtherAc(const Run& run);

  const JpegScan& scan_;
  ScanSegments segments_;
  BitReader reader_;
  const AcBand band_;
  std::array<std::int32_t, 3> dc_{};  // of the blocks before, by part of the scan
  std::uint32_t ends_ = 0;            // of blocks that end where they begin
  // Of AC coefficients: places in a BlockPair by zigzag order, which is shifted so that the last of
  // the scan is number 63.
  std::array<std::uint8_t, 256> places_;
  HuffmanTable* tables_;  // by part of the scan
  HuffmanPairs* pairs_;
};

}  // namespace dynjax
