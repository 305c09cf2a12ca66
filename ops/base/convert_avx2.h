// Only to be called where base/simd.h found AVX2.
#pragma once

#include "base/convert.h"

namespace dynjax {

const Converters& Avx2Converters();

}  // namespace dynjax
