// The header of a PNG stream, read without libpng.
#pragma once

#include <string_view>

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"

namespace dynjax {

inline constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};

// Reads IHDR and walks all chunks, because eXIf may follow the picture; fills in all but `format`.
// kTruncated when there is no IEND. Checksums are left to libpng.
Status ReadPngHeader(Bytes encoded, ImageInfo* info);

}  // namespace dynjax
