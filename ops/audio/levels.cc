#include "audio/levels.h"

#include "audio/level_lanes.h"
#include "audio/levels_avx2.h"

namespace dynjax {

const LevelKernels& LevelKernelsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2LevelKernels();
#endif
  (void)target;
  return kOwnLevelKernels;
}

}  // namespace dynjax
