#include "random/noise_rows.h"

#include "random/noise_draws.h"
#include "random/noise_rows_avx2.h"

namespace dynjax {

const NoiseRows& NoiseRowsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2NoiseRows();
#endif
  (void)target;
  return kNoiseRows;
}

}  // namespace dynjax
