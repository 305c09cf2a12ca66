// Only to be called where base/simd.h found AVX2.
#pragma once

#include "random/draw_rows.h"

namespace dynjax {

const DrawRows& Avx2DrawRows();

}  // namespace dynjax
