// A fast decoder of the JPEG pictures that most files hold.
#pragma once

#include "decoders/bytes.h"
#include "decoders/image_info.h"
#include "decoders/pixels.h"
#include "decoders/region.h"
#include "decoders/row_sink.h"

namespace dynjax {

// As `DecodeJpeg` (jpeg.h), with the pixels of libjpeg-turbo to the bit, for Huffman-coded
// pictures, sequential in one scan or progressive, grey or YCbCr of full or half chroma resolution,
// in full size or an eighth, a quarter or half of it, on processors with AVX2.
//
// False for everything else and for streams with any irregularity: how damaged data are read is
// libjpeg's to say, which then starts again. Some rows may have been written by then.
bool DecodeFastJpeg(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
                    std::int32_t scale, RowSink* sink);

}  // namespace dynjax
