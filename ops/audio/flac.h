// FLAC files, as RFC 9639 describes them.
#pragma once

#include <cstdint>
#include <span>

#include "audio/flac_stream.h"

namespace dynjax {

// How the samples are written: floats of full scale 1, or integers of which the samples are the
// upper bits.
enum class SoundNumber { kFloat32, kInt16, kInt32 };

// Decodes all samples of a file that `ReadFlacStream` has taken, channels side by side. `out` holds
// `frames * channels` numbers. False: the file has an irregularity of any kind, from a damaged
// frame to a missing one, and `out` is anything. Bytes behind the last frame are not looked at.
bool DecodeFlac(std::span<const std::uint8_t> file, const FlacStream& stream, SoundNumber number,
                void* out);

}  // namespace dynjax
