// What the header of an encoded picture says, read without decoding it.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "decoders/bytes.h"

namespace dynjax {

// Kept in step with `dynjax/_native.py`.
enum class ImageFormat : std::int32_t {
  kUnknown = 0,
  kJpeg = 1,
  kPng = 2,
  kBmp = 3,
  kGif = 4,
  kTiff = 5,
  kWebp = 6,
  kPnm = 7,
  kJpeg2000 = 8,
  kHeif = 9,  // AVIF and HEIC
};

struct ImageInfo {
  ImageFormat format = ImageFormat::kUnknown;
  // True when `DecodeImage` can decode it. Otherwise Pillow may; for formats other than JPEG
  // nothing below is filled in then.
  bool native = false;
  std::int32_t height = 0, width = 0;  // as stored, before the orientation is applied
  std::int32_t channels = 0;           // of the output type ANY_DATA
  std::int32_t bit_depth = 0;
  std::int32_t orientation = 1;  // EXIF 1..8
};

// Recognises the format by its first bytes and reads the headers of those that have a native
// decoder. Never reads outside `encoded`, takes no memory.
// kUnrecognised: empty or no known format. kTruncated, kCorrupt: as the headers are.
Status PeekImage(Bytes encoded, ImageInfo* info);

// The format alone.
ImageFormat SniffFormat(Bytes encoded);

}  // namespace dynjax
