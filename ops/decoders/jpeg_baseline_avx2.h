// The decoder behind `DecodeBaselineJpeg`, once its work is known.
#pragma once

#include "decoders/jpeg_baseline_header.h"
#include "decoders/jpeg_baseline_plan.h"
#include "decoders/row_sink.h"

namespace dynjax {

// False when the stream turns out to be irregular, or there is no
// memory.
bool DecodeBaselineAvx2(Bytes encoded, const BaselineHeader& header, const BaselinePlan& plan,
                        bool is_bgr, RowSink* sink);

}  // namespace dynjax
