// The samples of several sound files at once.
#pragma once

#include <cstdint>
#include <span>

#include "audio/flac.h"

namespace dynjax {

// One file, and where its samples go.
struct EncodedSound {
  int width = 0;  // bytes of a number, see audio/pcm.h; 0: the data are a FLAC file
  std::span<const std::uint8_t> data;
  SoundNumber number = SoundNumber::kFloat32;
  void* out = nullptr;
  std::int64_t numbers = 0;  // there is room for: samples of all channels
};

// Reads all of them on the pool, the largest first, and says of each whether it was done: if not,
// what was written is anything. Plain numbers can only become floats; either kind must hold as many
// numbers as there is room for.
void ReadSounds(std::span<const EncodedSound> sounds, std::span<std::uint8_t> done);

}  // namespace dynjax
