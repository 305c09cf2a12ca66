#include "audio/sinc.h"

#include "audio/sinc_avx2.h"
#include "audio/sinc_lanes.h"

namespace dynjax {

const SincKernels& SincKernelsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2SincKernels();
#endif
  (void)target;
  return kOwnSincKernels;
}

}  // namespace dynjax
