// The frames of FLAC files: blocks of samples of all channels.
#pragma once

#include <cstdint>
#include <span>

#include "audio/flac_bits.h"
#include "audio/flac_stream.h"

namespace dynjax {

// Where in its stream a frame stands.
struct FlacPlace {
  std::int64_t frame = 0;   // frames before it
  std::int64_t sample = 0;  // samples of a channel before it
};

// Decodes the frame at `bits`, which reads `file`, and moves on to the next. `room` holds `channels
// * largest_block` numbers; the samples of channel c begin at `c * largest_block`. Returns how many
// there are of each; 0: the frame is damaged, or not what its stream and place make it, and `room`
// is anything.
int DecodeFlacFrame(const FlacStream& stream, const FlacPlace& place,
                    std::span<const std::uint8_t> file, FlacBits* bits,
                    std::span<std::int32_t> room);

}  // namespace dynjax
