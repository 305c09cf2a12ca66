// TIFF through libtiff: the first picture of a file, in strips or tiles.
#pragma once

#include "base/status.h"
#include "decoders/bytes.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"
#include "decoders/tiff_header.h"

namespace dynjax {

// Whether the compression of this number is one that `DecodeTiff` takes. Those that nobody else
// writes pictures with are left out, and with them the parts of libtiff that are the least tried.
bool DecompressesTiff(std::int32_t compression);

// Decodes a part of the stored picture into `sink`, whose source is `TiffPixelsFor(layout, type)`
// in the size of that part. Blocks that do not touch the part are not read. Up to 8 bits, white
// that is zero is turned round; deeper files say it and do not mean it, as others see them too.
// `layout` was read from the same bytes; the part lies inside the picture.
Status DecodeTiff(Bytes encoded, const TiffLayout& layout, const Region& part, RowSink* sink);

}  // namespace dynjax
