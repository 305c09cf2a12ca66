#include "audio/sounds.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "audio/pcm.h"
#include "base/pool.h"

namespace dynjax {
namespace {

constexpr std::int64_t kFlacWeight = 8;  // what decoding costs in units of a conversion

bool Read(const EncodedSound& sound) {
  if (sound.width == 0) {
    const auto stream = ReadFlacStream(sound.data);
    return stream && stream->frames * stream->channels == sound.numbers &&
           DecodeFlac(sound.data, *stream, sound.number, sound.out);
  }
  const auto numbers = static_cast<std::size_t>(sound.numbers);
  if (sound.number != SoundNumber::kFloat32 ||
      numbers != sound.data.size() / static_cast<std::size_t>(sound.width)) {
    return false;
  }
  PcmToFloat(sound.data, static_cast<std::size_t>(sound.width),
             {static_cast<float*>(sound.out), numbers});
  return true;
}

std::int64_t CostOf(const EncodedSound& sound) {
  return sound.numbers * (sound.width == 0 ? kFlacWeight : 1);
}

}  // namespace

void ReadSounds(std::span<const EncodedSound> sounds, std::span<std::uint8_t> done) {
  std::vector<std::size_t> order(sounds.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return CostOf(sounds[a]) > CostOf(sounds[b]);
  });
  std::int64_t cost = 0;
  for (const EncodedSound& sound : sounds) cost += CostOf(sound);
  const auto read = [&](std::int64_t k) {
    const std::size_t i = order[static_cast<std::size_t>(k)];
    done[i] = Read(sounds[i]) ? 1 : 0;
  };
  const auto count = static_cast<std::int64_t>(sounds.size());
  if (RunsSerially(count, cost * static_cast<std::int64_t>(sizeof(float)))) {
    for (std::int64_t k = 0; k < count; ++k) read(k);
  } else {
    ParallelFor(count, read);
  }
}

}  // namespace dynjax
