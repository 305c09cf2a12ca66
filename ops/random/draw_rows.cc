#include "random/draw_rows.h"

#include "random/draw_rows_avx2.h"
#include "random/number_rows.h"

namespace dynjax {

const DrawRows& DrawRowsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2DrawRows();
#endif
  (void)target;
  return kRows;
}

}  // namespace dynjax
