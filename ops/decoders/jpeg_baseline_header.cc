#include "decoders/jpeg_baseline_header.h"

namespace dynjax {
namespace {

using namespace std::string_view_literals;

constexpr std::uint8_t kBaseline = 0xc0, kExtended = 0xc1, kHuffmanTables = 0xc4,
                       kStartOfScan = 0xda, kQuantTables = 0xdb, kRestartInterval = 0xdd,
                       kApp0 = 0xe0, kApp14 = 0xee, kApp15 = 0xef, kComment = 0xfe;
constexpr std::int32_t kMaxSize = 65500;  // of libjpeg

constexpr std::array<std::uint8_t, 64> kNaturalOrder = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

struct QuantTable {
  std::array<std::uint16_t, 64> values;
  bool is_defined = false;
};

class HeaderReader {
 public:
  HeaderReader(Bytes encoded, BaselineHeader* header) : b_(encoded), header_(header) {}

  bool Read() {
    if (!HasText(b_, 0, "\xff\xd8"sv)) return false;
    for (std::size_t at = 2;;) {
      if (b_.size() - at < 4 || b_[at] != 0xff) return false;
      const std::uint8_t marker = b_[at + 1];
      if (marker == 0xff) {  // fill
        ++at;
        continue;
      }
      const std::size_t length = BigEndian16(b_, at + 2);
      if (length < 2 || length > b_.size() - at - 2) return false;
      const Bytes segment = b_.subspan(at + 4, length - 2);
      at += 2 + length;
      if (marker == kStartOfScan) {
        header_->scan = at;
        return ReadScan(segment);
      }
      if (!ReadSegment(marker, segment)) return false;
    }
  }

 private:
  bool ReadSegment(std::uint8_t marker, Bytes segment) {
    switch (marker) {
      case kBaseline:
      case kExtended:
        return ReadFrame(segment);
      case kHuffmanTables:
        return ReadHuffmanTables(segment);
      case kQuantTables:
        return ReadQuantTables(segment);
      case kRestartInterval:
        if (segment.size() != 2) return false;
        header_->restart_interval = BigEndian16(segment, 0);
        return true;
      case kApp0:
        is_jfif_ |= segment.size() >= 14 && HasText(segment, 0, "JFIF\0"sv);
        return true;
      case kApp14:
        // Its last byte says which colours; 1 is YCbCr.
        has_other_colours_ |=
            segment.size() >= 12 && HasText(segment, 0, "Adobe"sv) && segment[11] != 1;
        return true;
      default:
        return (marker > kApp0 && marker <= kApp15) || marker == kComment;
    }
  }

  bool ReadFrame(Bytes segment) {
    if (header_->count != 0 || segment.size() < 6 || segment[0] != 8) return false;
    header_->height = static_cast<std::int32_t>(BigEndian16(segment, 1));
    header_->width = static_cast<std::int32_t>(BigEndian16(segment, 3));
    const std::int32_t count = segment[5];
    if ((count != 1 && count != 3) || segment.size() != 6 + 3 * static_cast<std::size_t>(count) ||
        header_->height < 1 || header_->height > kMaxSize || header_->width < 1 ||
        header_->width > kMaxSize) {
      return false;
    }
    header_->count = count;
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) {
      const Bytes entry = segment.subspan(6 + 3 * c, 3);
      ids_[c] = entry[0];
      quant_of_[c] = entry[2];
      auto& component = header_->components[c];
      component.h = entry[1] >> 4;
      component.v = entry[1] & 15;
      if (component.h < 1 || component.h > 4 || component.v < 1 || component.v > 4 ||
          entry[2] > 3) {
        return false;
      }
      for (std::size_t other = 0; other < c; ++other) {
        if (ids_[other] == ids_[c]) return false;
      }
    }
    auto& [luma, blue, red] = header_->components;
    if (count == 1) {  // its factors have no meaning then
      luma.h = luma.v = 1;
      return true;
    }
    const bool is_known = (luma.h == 1 && luma.v == 1) || (luma.h == 2 && luma.v <= 2);
    return is_known && blue.h == 1 && blue.v == 1 && red.h == 1 && red.v == 1;
  }

  bool ReadHuffmanTables(Bytes segment) {
    while (!segment.empty()) {
      if (segment.size() < 17) return false;
      const std::uint8_t which = segment[0];
      const Bytes counts = segment.subspan(1, 16);
      std::size_t total = 0;
      for (const std::uint8_t count : counts) total += count;
      if ((which & 0xef) > 3 || total > 256 || total > segment.size() - 17) return false;
      const bool is_ac = which >> 4 != 0;
      auto& table = (is_ac ? header_->ac_tables : header_->dc_tables)[which & 3];
      if (!BuildHuffmanTable(is_ac ? HuffmanClass::kAc : HuffmanClass::kDc, counts,
                             segment.subspan(17, total), &table)) {
        return false;
      }
      segment = segment.subspan(17 + total);
    }
    return true;
  }

  bool ReadQuantTables(Bytes segment) {
    while (!segment.empty()) {
      const std::uint8_t which = segment[0];
      const std::size_t item = which >> 4 == 0 ? 1 : 2;
      if (which >> 4 > 1 || (which & 15) > 3 || segment.size() < 1 + 64 * item) return false;
      QuantTable& table = quant_tables_[which & 15];
      for (std::size_t k = 0; k < 64; ++k) {
        table.values[kNaturalOrder[k]] = static_cast<std::uint16_t>(
            item == 1 ? segment[1 + k] : BigEndian16(segment, 1 + 2 * k));
      }
      table.is_defined = true;
      segment = segment.subspan(1 + 64 * item);
    }
    return true;
  }

  bool ReadScan(Bytes segment) {
    const auto count = static_cast<std::size_t>(header_->count);
    if (count == 0 || segment.size() != 4 + 2 * count || segment[0] != count) return false;
    for (std::size_t c = 0; c < count; ++c) {
      const std::size_t dc = segment[2 + 2 * c] >> 4, ac = segment[2 + 2 * c] & 15;
      if (segment[1 + 2 * c] != ids_[c] || dc > 3 || ac > 3) return false;
      auto& component = header_->components[c];
      component.dc_number = dc;
      component.ac_number = ac;
      const QuantTable& quant = quant_tables_[quant_of_[c]];
      if (!header_->dc_tables[dc].is_defined || !header_->ac_tables[ac].is_defined ||
          !quant.is_defined) {
        return false;
      }
      component.quant = quant.values;
    }
    // All coefficients in full, as sequential pictures have them.
    if (segment[1 + 2 * count] != 0 || segment[2 + 2 * count] != 63 ||
        segment[3 + 2 * count] != 0) {
      return false;
    }
    const bool says_rgb = ids_[0] == 'R' && ids_[1] == 'G' && ids_[2] == 'B';
    return count == 1 || is_jfif_ || (!has_other_colours_ && !says_rgb);
  }

  Bytes b_;
  BaselineHeader* header_;
  std::array<QuantTable, 4> quant_tables_;
  std::array<std::uint8_t, 3> ids_{}, quant_of_{};
  bool is_jfif_ = false, has_other_colours_ = false;
};

}  // namespace

bool ReadBaselineHeader(Bytes encoded, BaselineHeader* header) {
  return HeaderReader(encoded, header).Read();
}

}  // namespace dynjax
