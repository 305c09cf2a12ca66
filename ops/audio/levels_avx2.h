// Only to be called where base/simd.h found AVX2.
#pragma once

#include "audio/levels.h"

namespace dynjax {

const LevelKernels& Avx2LevelKernels();

}  // namespace dynjax
