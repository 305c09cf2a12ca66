// Only to be called where base/simd.h found AVX2.
#pragma once

#include "normalise/sums.h"

namespace dynjax {

const Sums& Avx2Sums();

}  // namespace dynjax
