#include "colour/debayer_avx2.h"

#if defined(__AVX2__)

#include "colour/debayer_rows.h"

namespace dynjax {

void Avx2MosaicRow(const std::uint8_t* above, const std::uint8_t* own, const std::uint8_t* below,
                   bool has_first, std::int32_t phase, std::int64_t width, std::uint8_t* out) {
  MosaicRow<std::uint8_t>({above, own, below, has_first, phase}, width, out);
}

}  // namespace dynjax

#endif  // __AVX2__
