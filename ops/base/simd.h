// The one place where the instruction set is chosen at run time.
#pragma once

namespace dynjax {

enum class Target { kScalar, kAvx2 };

// The best target that both this build and this processor have; `DYNJAX_FORCE_TARGET=scalar|avx2`
// in the environment lowers it. Read once.
Target BestTarget();

}  // namespace dynjax
