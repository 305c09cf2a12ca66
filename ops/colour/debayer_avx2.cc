#include "colour/debayer_avx2.h"

#if defined(__AVX2__)

#include "colour/debayer_rows.h"
#include "colour/mosaic_gradients_rows.h"
#include "colour/mosaic_grey_rows.h"

namespace dynjax {

void Avx2MosaicRow(bool is_edge_aware, const std::uint8_t* above, const std::uint8_t* own,
                   const std::uint8_t* below, bool has_first, std::int32_t phase,
                   std::int64_t width, std::uint8_t* out) {
  const MosaicRows<std::uint8_t> rows{above, own, below, has_first, phase};
  is_edge_aware ? MosaicRow<true>(rows, width, out) : MosaicRow<false>(rows, width, out);
}

template <typename T>
void Avx2MosaicGreyRow(const T* above, const T* own, const T* below, bool has_first,
                       std::int32_t phase, std::int64_t width, T* out) {
  MosaicGreyRow<T>({above, own, below, has_first, phase}, width, out);
}

template void Avx2MosaicGreyRow<std::uint8_t>(const std::uint8_t*, const std::uint8_t*,
                                              const std::uint8_t*, bool, std::int32_t, std::int64_t,
                                              std::uint8_t*);
template void Avx2MosaicGreyRow<std::uint16_t>(const std::uint16_t*, const std::uint16_t*,
                                               const std::uint16_t*, bool, std::int32_t,
                                               std::int64_t, std::uint16_t*);

void Avx2MosaicGradientsRow(const GradientRows& rows, std::int64_t width, std::uint8_t* out) {
  MosaicGradientsRow(rows, width, out);
}

}  // namespace dynjax

#endif  // __AVX2__
