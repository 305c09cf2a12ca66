// What FLAC's predictors leave over, in Rice codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "audio/flac_bits.h"

namespace dynjax {

// Decodes the residual at `bits`, of a channel whose first `order` samples have none, to the
// samples behind them. False: it is damaged, and the rest of `samples` is anything.
bool DecodeFlacResidual(std::size_t order, FlacBits* bits, std::span<std::int32_t> samples);

}  // namespace dynjax
