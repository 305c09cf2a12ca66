#include "decoders/png_header.h"

#include "decoders/exif.h"

namespace dynjax {
namespace {

constexpr std::uint32_t kLargest = 0x7fffffff;  // of a length or a size, by the standard

bool DepthIsAllowed(int colour, int depth) {
  switch (colour) {
    case 0:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    case 3:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case 2:
    case 4:
    case 6:
      return depth == 8 || depth == 16;
    default:
      return false;
  }
}

// Palettes are looked up; transparency given by tRNS is ignored, as the original does.
int Channels(int colour) { return colour == 0 ? 1 : colour == 4 ? 2 : colour == 6 ? 4 : 3; }

Status ReadIhdr(Bytes data, ImageInfo* info) {
  const std::uint32_t width = BigEndian32(data, 0), height = BigEndian32(data, 4);
  const int depth = data[8], colour = data[9];
  if (width == 0 || height == 0 || width > kLargest || height > kLargest ||
      !DepthIsAllowed(colour, depth)) {
    return StatusCode::kCorrupt;
  }
  info->width = static_cast<std::int32_t>(width);
  info->height = static_cast<std::int32_t>(height);
  info->bit_depth = depth;
  info->channels = Channels(colour);
  info->native = true;
  return Status::Ok();
}

}  // namespace

Status ReadPngHeader(Bytes b, ImageInfo* info) {
  constexpr std::size_t kChunkFrame = 12;  // length, type and checksum
  for (std::size_t at = kPngSignature.size();;) {
    if (b.size() - at < kChunkFrame) return StatusCode::kTruncated;
    const std::uint32_t length = BigEndian32(b, at);
    if (length > kLargest) return StatusCode::kCorrupt;
    const bool is_header = HasText(b, at + 4, "IHDR");
    if (is_header != (at == kPngSignature.size()) || (is_header && length != 13)) {
      return StatusCode::kCorrupt;
    }
    if (length > b.size() - at - kChunkFrame) return StatusCode::kTruncated;
    const Bytes data = b.subspan(at + 8, length);
    if (is_header) {
      if (const auto status = ReadIhdr(data, info); !status.ok()) return status;
    } else if (HasText(b, at + 4, "eXIf")) {
      info->orientation = ExifOrientation(data);
    } else if (HasText(b, at + 4, "IEND")) {
      return Status::Ok();
    }
    at += kChunkFrame + length;
  }
}

}  // namespace dynjax
