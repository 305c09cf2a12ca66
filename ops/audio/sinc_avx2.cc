#include "audio/sinc_avx2.h"

#if defined(__AVX2__)

#include "audio/sinc_lanes.h"

namespace dynjax {

const SincKernels& Avx2SincKernels() { return kOwnSincKernels; }

}  // namespace dynjax

#endif  // __AVX2__
