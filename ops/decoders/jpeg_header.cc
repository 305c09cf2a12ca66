#include "decoders/jpeg_header.h"

#include "decoders/exif.h"

namespace dynjax {
namespace {

using namespace std::string_view_literals;

constexpr std::uint8_t kEndOfImage = 0xd9, kStartOfScan = 0xda, kApp1 = 0xe1;

// Markers that stand alone, with no length after them.
bool StandsAlone(std::uint8_t marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

bool IsStartOfFrame(std::uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

Status ReadFrame(Bytes segment, std::uint8_t marker, ImageInfo* info) {
  if (segment.size() < 6) return StatusCode::kCorrupt;
  const int components = segment[5];
  if (segment.size() != 6 + std::size_t{3} * segment[5]) return StatusCode::kCorrupt;
  info->bit_depth = segment[0];
  info->height = static_cast<std::int32_t>(BigEndian16(segment, 1));
  info->width = static_cast<std::int32_t>(BigEndian16(segment, 3));
  info->channels = components;
  if (info->height == 0 || info->width == 0) return StatusCode::kCorrupt;
  if (components != 1 && components != 3 && components != 4) return StatusCode::kUnsupported;
  // Baseline, extended and progressive, Huffman or arithmetic.
  const bool coding = marker <= 0xc2 || marker == 0xc9 || marker == 0xca;
  info->native = coding && info->bit_depth == 8;
  return Status::Ok();
}

}  // namespace

Status ReadJpegHeader(Bytes b, ImageInfo* info) {
  bool frame = false;
  std::size_t at = 2;
  while (true) {
    while (at < b.size() && b[at] != 0xff) ++at;
    while (at < b.size() && b[at] == 0xff) ++at;
    if (at >= b.size()) return StatusCode::kTruncated;
    const std::uint8_t marker = b[at++];
    if (marker == 0 || StandsAlone(marker)) continue;
    if (marker == kEndOfImage) return StatusCode::kCorrupt;
    if (b.size() - at < 2) return StatusCode::kTruncated;
    const std::size_t length = BigEndian16(b, at);
    if (length < 2) return StatusCode::kCorrupt;
    if (length > b.size() - at) return StatusCode::kTruncated;
    if (marker == kStartOfScan) return frame ? Status::Ok() : Status(StatusCode::kCorrupt);
    const Bytes segment = b.subspan(at + 2, length - 2);
    if (IsStartOfFrame(marker) && !frame) {
      if (const auto status = ReadFrame(segment, marker, info); !status.ok()) return status;
      frame = true;
    } else if (marker == kApp1 && HasText(segment, 0, "Exif\0\0"sv)) {
      // Of several blocks the last one counts.
      info->orientation = ExifOrientation(segment.subspan(6));
    }
    at += length;
  }
}

}  // namespace dynjax
