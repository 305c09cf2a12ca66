#include "audio/levels_avx2.h"

#if defined(__AVX2__)

#include "audio/level_lanes.h"

namespace dynjax {

const LevelKernels& Avx2LevelKernels() { return kOwnLevelKernels; }

}  // namespace dynjax

#endif  // __AVX2__
