// PNG through libpng: all colour types and depths, interlaced or not.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"

namespace dynjax {

// What `DecodePng` hands to the sink: 8 or 16 bits, palettes looked up, alpha only for ANY_DATA.
SourcePixels PngPixelsFor(const ImageInfo& info, OutputType type);

// Decodes a part of the stored picture into `sink`, whose source is `PngPixelsFor(info, type)` in
// the size of that part. Alpha is dropped without blending; chunks that do not change pixels (text,
// profiles) are skipped unread. A wrong checksum of the header or of the data that are read is
// kCorrupt: what follows the part's last row is not. `info` comes from `PeekImage`; the part lies
// inside the picture.
Status DecodePng(Bytes encoded, const ImageInfo& info, const Region& part, RowSink* sink);

}  // namespace dynjax
