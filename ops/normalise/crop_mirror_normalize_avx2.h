// Only to be called where base/simd.h found AVX2.
#pragma once

#include "normalise/normalize_rows.h"

namespace dynjax {

const NormalizeRows& Avx2NormalizeRows();

}  // namespace dynjax
