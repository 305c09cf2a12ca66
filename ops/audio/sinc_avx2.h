// Only to be called where base/simd.h found AVX2.
#pragma once

#include "audio/sinc.h"

namespace dynjax {

const SincKernels& Avx2SincKernels();

}  // namespace dynjax
