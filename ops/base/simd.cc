#include "base/simd.h"

#include <cstdlib>
#include <cstring>

namespace dynjax {
namespace {

Target Detect() {
#if defined(__x86_64__)
  const char* forced = std::getenv("DYNJAX_FORCE_TARGET");
  if (forced != nullptr && std::strcmp(forced, "scalar") == 0) return Target::kScalar;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Target::kAvx2;
#endif
  return Target::kScalar;
}

}  // namespace

Target BestTarget() {
  static const Target target = Detect();
  return target;
}

}  // namespace dynjax
