#include "normalise/sums_avx2.h"

#if defined(__AVX2__)

#include "normalise/sums_lanes.h"

namespace dynjax {

const Sums& Avx2Sums() { return kOwnSums; }

}  // namespace dynjax

#endif  // __AVX2__
