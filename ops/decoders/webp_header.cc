#include "decoders/webp_header.h"

#include <optional>

#include "decoders/exif.h"

namespace dynjax {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kRiffHeader = 12, kChunkHeader = 8, kFrameHeader = 16;
// Bits of the extended header.
constexpr std::uint8_t kAnimated = 0x02, kExif = 0x08, kAlpha = 0x10;

struct Chunk {
  Bytes name, data;
  bool Is(std::string_view text) const { return HasText(name, 0, text); }
};

// Takes the next chunk off `rest`; nullopt when it reaches beyond.
std::optional<Chunk> TakeChunk(Bytes* rest) {
  if (rest->size() < kChunkHeader) return std::nullopt;
  const std::size_t length = LittleEndian32(*rest, 4);
  if (length > rest->size() - kChunkHeader) return std::nullopt;
  const Chunk chunk{rest->first(4), rest->subspan(kChunkHeader, length)};
  const std::size_t padded = kChunkHeader + length + length % 2;
  *rest = rest->subspan(padded < rest->size() ? padded : rest->size());
  return chunk;
}

std::int32_t LittleEndian24(Bytes b, std::size_t at) {
  return static_cast<std::int32_t>(LittleEndian16(b, at) | std::uint32_t{b[at + 2]} << 16);
}

// The size of a lossy or lossless picture, and whether the latter has alpha.
struct Picture {
  std::int32_t height, width;
  bool has_alpha;
};

std::optional<Picture> ReadPicture(const Chunk& chunk) {
  const Bytes b = chunk.data;
  if (chunk.Is("VP8 ") && b.size() >= 10 && HasText(b, 3, "\x9d\x01\x2a"sv)) {
    constexpr std::uint32_t kSize = 0x3fff;  // above it: a scale, which nobody applies
    return Picture{static_cast<std::int32_t>(LittleEndian16(b, 8) & kSize),
                   static_cast<std::int32_t>(LittleEndian16(b, 6) & kSize), false};
  }
  if (chunk.Is("VP8L") && b.size() >= 5 && b[0] == 0x2f) {
    const std::uint32_t bits = LittleEndian32(b, 1);
    return Picture{static_cast<std::int32_t>((bits >> 14 & 0x3fff) + 1),
                   static_cast<std::int32_t>((bits & 0x3fff) + 1), (bits >> 28 & 1) != 0};
  }
  return std::nullopt;
}

// The first frame of an animation, whose picture lies inside the canvas.
Status ReadFrame(Bytes data, const ImageInfo& canvas, WebpFrame* frame) {
  if (data.size() < kFrameHeader) return StatusCode::kCorrupt;
  const Region place{2 * LittleEndian24(data, 3), 2 * LittleEndian24(data, 0),
                     1 + LittleEndian24(data, 9), 1 + LittleEndian24(data, 6)};
  if (place.height > canvas.height - place.y || place.width > canvas.width - place.x) {
    return StatusCode::kCorrupt;
  }
  *frame = {data.subspan(kFrameHeader), place};
  return Status::Ok();
}

Status ReadExtended(Bytes encoded, Bytes header, Bytes rest, ImageInfo* info, WebpFrame* frame) {
  if (header.size() < 10) return StatusCode::kCorrupt;
  const std::uint8_t flags = header[0];
  info->width = 1 + LittleEndian24(header, 4);
  info->height = 1 + LittleEndian24(header, 7);
  bool has_alpha = (flags & kAlpha) != 0, is_found = false;
  while (!rest.empty()) {
    const auto chunk = TakeChunk(&rest);
    if (!chunk) return StatusCode::kCorrupt;
    if (chunk->Is("EXIF") && (flags & kExif) != 0) {
      Bytes block = chunk->data;
      if (HasText(block, 0, "Exif\0\0"sv)) block = block.subspan(6);
      info->orientation = ExifOrientation(block);
    } else if (is_found) {
      continue;
    } else if ((flags & kAnimated) != 0) {
      if (!chunk->Is("ANMF")) continue;
      if (const auto s = ReadFrame(chunk->data, *info, frame); !s.ok()) return s;
      is_found = true;
    } else if (chunk->Is("ALPH")) {
      has_alpha = true;
    } else if (chunk->Is("VP8 ") || chunk->Is("VP8L")) {
      const auto picture = ReadPicture(*chunk);
      if (!picture || picture->height != info->height || picture->width != info->width) {
        return StatusCode::kCorrupt;
      }
      if (chunk->Is("VP8L")) has_alpha = picture->has_alpha;
      *frame = {encoded, WholeOf(info->height, info->width)};
      is_found = true;
    }
  }
  info->channels = has_alpha ? 4 : 3;
  return is_found ? Status::Ok() : Status(StatusCode::kCorrupt);
}

}  // namespace

Status ReadWebpHeader(Bytes encoded, ImageInfo* info, WebpFrame* frame) {
  if (encoded.size() < kRiffHeader) return StatusCode::kTruncated;
  // The size counts from the name "WEBP" on; bytes behind it do not belong to the picture.
  const std::size_t end = std::size_t{LittleEndian32(encoded, 4)} + kChunkHeader;
  if (end > encoded.size()) return StatusCode::kTruncated;
  if (end < kRiffHeader) return StatusCode::kCorrupt;
  Bytes rest = encoded.subspan(kRiffHeader, end - kRiffHeader);
  const auto chunk = TakeChunk(&rest);
  if (!chunk) return StatusCode::kCorrupt;
  info->native = true;
  info->bit_depth = 8;
  if (chunk->Is("VP8X")) return ReadExtended(encoded, chunk->data, rest, info, frame);
  const auto picture = ReadPicture(*chunk);
  if (!picture || picture->height < 1 || picture->width < 1) return StatusCode::kCorrupt;
  info->height = picture->height;
  info->width = picture->width;
  info->channels = picture->has_alpha ? 4 : 3;
  *frame = {encoded, WholeOf(info->height, info->width)};
  return Status::Ok();
}

}  // namespace dynjax
