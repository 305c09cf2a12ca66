#include "audio/spectrum.h"

#include "audio/spectrum_avx2.h"
#include "audio/spectrum_lanes.h"

namespace dynjax {

const SpectrumKernels& SpectrumKernelsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2SpectrumKernels();
#endif
  (void)target;
  return kOwnSpectrumKernels;
}

}  // namespace dynjax
