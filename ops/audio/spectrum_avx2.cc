#include "audio/spectrum_avx2.h"

#if defined(__AVX2__)

#include "audio/spectrum_lanes.h"

namespace dynjax {

const SpectrumKernels& Avx2SpectrumKernels() { return kOwnSpectrumKernels; }

}  // namespace dynjax

#endif  // __AVX2__
