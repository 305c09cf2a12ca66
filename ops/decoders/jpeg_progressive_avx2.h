// The decoder behind `DecodeFastJpeg` for progressive pictures, once its work is known.
#pragma once

#include "decoders/jpeg_plan.h"
#include "decoders/jpeg_stream.h"
#include "decoders/row_sink.h"

namespace dynjax {

// False when the stream turns out to be irregular, or there is no memory.
bool DecodeProgressiveAvx2(const JpegStream& stream, const JpegPlan& plan, bool is_bgr,
                           RowSink* sink);

}  // namespace dynjax
