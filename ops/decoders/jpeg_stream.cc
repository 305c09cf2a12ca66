#include "decoders/jpeg_stream.h"

#include "decoders/jpeg_known_bits.h"
#include "decoders/jpeg_zigzag.h"

namespace dynjax {
namespace {

using namespace std::string_view_literals;

constexpr std::uint8_t kBaseline = 0xc0, kExtended = 0xc1, kProgressive = 0xc2,
                       kHuffmanTables = 0xc4, kFirstRestart = 0xd0, kLastRestart = 0xd7,
                       kEndOfImage = 0xd9, kStartOfScan = 0xda, kQuantTables = 0xdb,
                       kRestartInterval = 0xdd, kApp0 = 0xe0, kApp14 = 0xee, kApp15 = 0xef,
                       kComment = 0xfe;
constexpr std::int32_t kMaxSize = 65500;  // of libjpeg

// Bytes from the first scan on that make a stream a long one.
constexpr std::size_t kManyBytes = 24 << 10;

// The lowest bit of the first scans. More would lead beyond 16 bits; usual are 2 or 3.
constexpr std::uint32_t kMaxLow = 5;

struct QuantTable {
  std::array<std::uint16_t, 64> values;
  bool is_defined = false;
};

class StreamReader {
 public:
  StreamReader(Bytes encoded, JpegStream* stream)
      : b_(encoded), stream_(stream), frame_(stream->frame) {}

  bool Read() {
    if (!HasText(b_, 0, "\xff\xd8"sv)) return false;
    for (std::size_t at = 2;;) {
      if (b_.size() - at < 2 || b_[at] != 0xff) return false;
      const std::uint8_t marker = b_[at + 1];
      if (marker == 0xff) {  // fill
        ++at;
        continue;
      }
      if (marker == kEndOfImage) {
        // Of pictures that lack bits, libjpeg smooths the blocks.
        const auto count = static_cast<std::size_t>(frame_.count);
        return frame_.is_progressive && count > 0 && known_bits_.IsComplete(count);
      }
      if (b_.size() - at < 4) return false;
      const std::size_t length = BigEndian16(b_, at + 2);
      if (length < 2 || length > b_.size() - at - 2) return false;
      const Bytes segment = b_.subspan(at + 4, length - 2);
      at += 2 + length;
      if (marker != kStartOfScan) {
        if (!ReadSegment(marker, segment)) return false;
        continue;
      }
      if (stream_->scan_count == JpegStream::kMaxScans) return false;
      JpegScan& scan = stream_->scans[stream_->scan_count++];
      if (!ReadScan(segment, &scan)) return false;
      stream_->is_long |= b_.size() - at >= kManyBytes;
      if (!frame_.is_progressive) {
        scan.data = b_.subspan(at);
        return true;
      }
      const std::size_t end = EndOfScan(at);
      if (end == b_.size()) return false;
      scan.data = b_.subspan(at, end + 1 - at);
      at = end - 1;
    }
  }

 private:
  bool ReadSegment(std::uint8_t marker, Bytes segment) {
    switch (marker) {
      case kBaseline:
      case kExtended:
      case kProgressive:
        frame_.is_progressive = marker == kProgressive;
        return ReadFrame(segment);
      case kHuffmanTables:
        return ReadHuffmanTables(segment);
      case kQuantTables:
        return ReadQuantTables(segment);
      case kRestartInterval:
        if (segment.size() != 2) return false;
        restart_interval_ = BigEndian16(segment, 0);
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
    if (frame_.count != 0 || segment.size() < 6 || segment[0] != 8) return false;
    frame_.height = static_cast<std::int32_t>(BigEndian16(segment, 1));
    frame_.width = static_cast<std::int32_t>(BigEndian16(segment, 3));
    const std::int32_t count = segment[5];
    if ((count != 1 && count != 3) || segment.size() != 6 + 3 * static_cast<std::size_t>(count) ||
        frame_.height < 1 || frame_.height > kMaxSize || frame_.width < 1 ||
        frame_.width > kMaxSize) {
      return false;
    }
    frame_.count = count;
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) {
      const Bytes entry = segment.subspan(6 + 3 * c, 3);
      ids_[c] = entry[0];
      quant_of_[c] = entry[2];
      auto& component = frame_.components[c];
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
    auto& [luma, blue, red] = frame_.components;
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
      (which >> 4 != 0 ? ac_codes_ : dc_codes_)[which & 3] = {counts, segment.subspan(17, total)};
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

  // The position of the code of the marker behind a scan's data; that of the end without one.
  std::size_t EndOfScan(std::size_t at) const {
    while (true) {
      const void* const found = std::memchr(b_.data() + at, 0xff, b_.size() - at);
      if (found == nullptr) return b_.size();
      at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - b_.data()) + 1;
      if (at == b_.size()) return at;
      const std::uint8_t code = b_[at];
      if (code != 0 && code != 0xff && (code < kFirstRestart || code > kLastRestart)) return at;
    }
  }

  bool ReadScan(Bytes segment, JpegScan* scan) {
    if (frame_.count == 0 || segment.empty()) return false;
    scan->count = segment[0];
    scan->restart_interval = restart_interval_;
    if (scan->count < 1 || scan->count > 3 || segment.size() != 4 + 2 * scan->count) return false;
    const Bytes range = segment.subspan(1 + 2 * scan->count);
    scan->first = range[0];
    scan->last = range[1];
    scan->high = range[2] >> 4;
    scan->low = range[2] & 15;
    std::size_t next = 0;  // components come in their order
    for (std::size_t i = 0; i < scan->count; ++i) {
      const Bytes entry = segment.subspan(1 + 2 * i, 2);
      const auto count = static_cast<std::size_t>(frame_.count);
      while (next < count && ids_[next] != entry[0]) ++next;
      if (next == count || entry[1] >> 4 > 3 || (entry[1] & 15) > 3) return false;
      scan->parts[i] = {next, dc_codes_[entry[1] >> 4], ac_codes_[entry[1] & 15]};
      if (!LatchQuant(next++)) return false;
    }
    return (frame_.is_progressive ? IsProgressiveScan(*scan) : IsWholeScan(*scan)) &&
           IsKnownColour();
  }

  // What counts is the table at a component's first scan.
  bool LatchQuant(std::size_t c) {
    if (has_quant_[c]) return true;
    const QuantTable& quant = quant_tables_[quant_of_[c]];
    if (quant.is_defined) frame_.components[c].quant = quant.values;
    return has_quant_[c] = quant.is_defined;
  }

  bool IsWholeScan(const JpegScan& scan) const {
    for (std::size_t i = 0; i < scan.count; ++i) {
      if (!scan.parts[i].dc.is_defined() || !scan.parts[i].ac.is_defined()) return false;
    }
    return scan.count == static_cast<std::size_t>(frame_.count) && scan.first == 0 &&
           scan.last == 63 && scan.high == 0 && scan.low == 0;
  }

  bool IsProgressiveScan(const JpegScan& scan) {
    const bool is_dc = scan.first == 0;
    for (std::size_t i = 0; i < scan.count; ++i) {
      const auto& part = scan.parts[i];
      const bool needs_code = !is_dc || scan.high == 0;
      if (needs_code && !(is_dc ? part.dc : part.ac).is_defined()) return false;
    }
    return scan.low <= kMaxLow && known_bits_.Add(scan);
  }

  // libjpeg decides at the first scan; what comes later makes no difference.
  bool IsKnownColour() {
    const bool says_rgb = ids_[0] == 'R' && ids_[1] == 'G' && ids_[2] == 'B';
    return stream_->scan_count > 1 || frame_.count == 1 || is_jfif_ ||
           (!has_other_colours_ && !says_rgb);
  }

  Bytes b_;
  JpegStream* stream_;
  JpegFrame& frame_;
  std::array<QuantTable, 4> quant_tables_;
  std::array<HuffmanCode, 4> dc_codes_, ac_codes_;
  std::uint32_t restart_interval_ = 0;
  std::array<std::uint8_t, 3> ids_{}, quant_of_{};
  std::array<bool, 3> has_quant_{};
  KnownBits known_bits_;
  bool is_jfif_ = false, has_other_colours_ = false;
};

}  // namespace

bool ReadJpegStream(Bytes encoded, JpegStream* stream) {
  return StreamReader(encoded, stream).Read();
}

}  // namespace dynjax
