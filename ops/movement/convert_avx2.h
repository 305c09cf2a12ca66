// Only to be called where base/simd.h found AVX2.
#pragma once

#include "movement/convert.h"

namespace dynjax {

ConvertRow Avx2ConverterFor(Element from, Element to);

}  // namespace dynjax
