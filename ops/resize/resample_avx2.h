// Only to be called where base/simd.h found AVX2.
#pragma once

#include "resize/row_passes.h"

namespace dynjax {

const RowPasses& Avx2RowPasses();

}  // namespace dynjax
