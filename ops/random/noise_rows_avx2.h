// Only to be called where base/simd.h found AVX2.
#pragma once

#include "random/noise_rows.h"

namespace dynjax {

const NoiseRows& Avx2NoiseRows();

}  // namespace dynjax
