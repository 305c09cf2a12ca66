// One channel of a FLAC frame.
#pragma once

#include <cstdint>
#include <span>

#include "audio/flac_bits.h"

namespace dynjax {

// Decodes the channel at `bits` to as many samples of `depth` bits, at most 25, as there is room
// for. False: it is damaged, and `samples` are anything. Samples of a damaged one may also be out
// of the range of their bits, which is left to the caller to find.
bool DecodeFlacSubframe(int depth, FlacBits* bits, std::span<std::int32_t> samples);

}  // namespace dynjax
