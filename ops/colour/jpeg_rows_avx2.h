// Only to be called where base/simd.h found AVX2.
#pragma once

#include "colour/jpeg_rows.h"

namespace dynjax {

const JpegRows& Avx2JpegRows();

}  // namespace dynjax
