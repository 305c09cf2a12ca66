#include "random/noise_rows_avx2.h"

#if defined(__AVX2__)

#include "random/noise_draws.h"

namespace dynjax {

const NoiseRows& Avx2NoiseRows() { return kNoiseRows; }

}  // namespace dynjax

#endif  // __AVX2__
