// Only to be called where base/simd.h found AVX2.
#pragma once

#include <cstdint>

#include "colour/mosaic_gradients.h"

namespace dynjax {

// As MosaicRow of colour/debayer_rows.h, edge-aware or not.
void Avx2MosaicRow(bool is_edge_aware, const std::uint8_t* above, const std::uint8_t* own,
                   const std::uint8_t* below, bool has_first, std::int32_t phase,
                   std::int64_t width, std::uint8_t* out);

// As MosaicGreyRow of colour/mosaic_grey_rows.h. T: uint8 or uint16.
template <typename T>
void Avx2MosaicGreyRow(const T* above, const T* own, const T* below, bool has_first,
                       std::int32_t phase, std::int64_t width, T* out);

// As MosaicGradientsRow of colour/mosaic_gradients_rows.h.
void Avx2MosaicGradientsRow(const GradientRows& rows, std::int64_t width, std::uint8_t* out);

}  // namespace dynjax
