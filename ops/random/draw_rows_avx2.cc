#include "random/draw_rows_avx2.h"

#if defined(__AVX2__)

#include "random/number_rows.h"

namespace dynjax {

const DrawRows& Avx2DrawRows() { return kRows; }

}  // namespace dynjax

#endif  // __AVX2__
