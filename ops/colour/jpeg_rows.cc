#include "colour/jpeg_rows.h"

#include "colour/jpeg_lanes.h"
#include "colour/jpeg_rows_avx2.h"

namespace dynjax {

const JpegRows& JpegRowsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2JpegRows();
#endif
  (void)target;
  return kOwnRows;
}

}  // namespace dynjax
