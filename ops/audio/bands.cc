#include "audio/bands.h"

#include "audio/band_lanes.h"
#include "audio/bands_avx2.h"

namespace dynjax {

const BandKernels& BandKernelsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2BandKernels();
#endif
  (void)target;
  return kOwnBandKernels;
}

}  // namespace dynjax
