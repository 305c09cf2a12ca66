// PNG through libpng: all colour types and depths, interlaced or not.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/row_sink.h"

namespace dynjax {

// What `DecodePng` hands to the sink: 8 or 16 bits, palettes looked up, alpha only for ANY_DATA.
SourcePixels PngPixelsFor(const ImageInfo& info, OutputType type);

// Decodes the whole picture into `sink`, whose source is `PngPixelsFor(info, type)`. Alpha is
// dropped without blending; chunks that do not change pixels (text, profiles) are skipped unread.
// A wrong checksum of the header or the data is kCorrupt. `info` comes from `PeekImage`.
Status DecodePng(Bytes encoded, const ImageInfo& info, RowSink* sink);

}  // namespace dynjax
