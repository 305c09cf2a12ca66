// Only to be called where base/simd.h found AVX2.
#pragma once

#include "warp/warp.h"

namespace dynjax {

// Warp with linear interpolation and edge kClamp or kConstant by an affine map, for a picture of
// one 8-bit channel that the cache holds and a result of the same type, both without gaps between
// pixels. False where they are something else: nothing has been written then.
bool Avx2WarpGreyPlane(const Picture& source, const Canvas& canvas, const WarpMap& map,
                       const Sampling& sampling);

}  // namespace dynjax
