#include "audio/bands_avx2.h"

#if defined(__AVX2__)

#include "audio/band_lanes.h"

namespace dynjax {

const BandKernels& Avx2BandKernels() { return kOwnBandKernels; }

}  // namespace dynjax

#endif  // __AVX2__
