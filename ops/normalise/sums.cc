#include "normalise/sums.h"

#include "normalise/sums_avx2.h"
#include "normalise/sums_lanes.h"

namespace dynjax {

const Sums& SumsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2Sums();
#endif
  (void)target;
  return kOwnSums;
}

}  // namespace dynjax
