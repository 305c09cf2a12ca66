// Only to be called where base/simd.h found AVX2.
#pragma once

#include "audio/bands.h"

namespace dynjax {

const BandKernels& Avx2BandKernels();

}  // namespace dynjax
