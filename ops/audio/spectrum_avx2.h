// Only to be called where base/simd.h found AVX2.
#pragma once

#include "audio/spectrum.h"

namespace dynjax {

const SpectrumKernels& Avx2SpectrumKernels();

}  // namespace dynjax
