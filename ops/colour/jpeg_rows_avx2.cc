#include "colour/jpeg_rows_avx2.h"

#if defined(__AVX2__)

#include "colour/jpeg_lanes.h"

namespace dynjax {

const JpegRows& Avx2JpegRows() { return kOwnRows; }

}  // namespace dynjax

#endif  // __AVX2__
