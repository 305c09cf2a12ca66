#include "audio/flac.h"

#include <cstddef>
#include <memory>
#include <new>

#include "audio/flac_bits.h"
#include "audio/flac_frame.h"

namespace dynjax {
namespace {

// The samples of a frame: those of channel c begin at `data + c * apart`.
struct Block {
  const std::int32_t* data;
  std::size_t apart;
  std::size_t samples;
  int channels;
  int bits;
};

// Whether all samples have no more bits than they should.
bool InRange(const Block& block) {
  std::int32_t seen = 0;
  for (int c = 0; c < block.channels; ++c) {
    const std::int32_t* x = block.data + static_cast<std::size_t>(c) * block.apart;
    for (std::size_t i = 0; i < block.samples; ++i) seen |= x[i] ^ x[i] >> 31;
  }
  return seen >> (block.bits - 1) == 0;
}

template <typename T, typename Convert>
void Interleave(const Block& block, const Convert& convert, T* out) {
  const std::int32_t* x = block.data;
  if (block.channels == 1) {
    for (std::size_t i = 0; i < block.samples; ++i) out[i] = convert(x[i]);
  } else if (block.channels == 2) {
    for (std::size_t i = 0; i < block.samples; ++i) {
      out[2 * i] = convert(x[i]);
      out[2 * i + 1] = convert(x[block.apart + i]);
    }
  } else {
    const auto channels = static_cast<std::size_t>(block.channels);
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t i = 0; i < block.samples; ++i) {
        out[channels * i + c] = convert(x[c * block.apart + i]);
      }
    }
  }
}

// `at` is the number of the first one to write.
void Write(const Block& block, SoundNumber number, std::size_t at, void* out) {
  if (number == SoundNumber::kFloat32) {
    const float scale = 1 / static_cast<float>(1 << (block.bits - 1));
    Interleave(
        block, [=](std::int32_t x) { return static_cast<float>(x) * scale; },
        static_cast<float*>(out) + at);
  } else if (number == SoundNumber::kInt32) {
    const int up = 32 - block.bits;
    Interleave(
        block, [=](std::int32_t x) { return x << up; }, static_cast<std::int32_t*>(out) + at);
  } else {
    const int up = block.bits < 16 ? 16 - block.bits : 0;
    const int down = block.bits < 16 ? 0 : block.bits - 16;
    Interleave(
        block, [=](std::int32_t x) { return static_cast<std::int16_t>(x << up >> down); },
        static_cast<std::int16_t*>(out) + at);
  }
}

}  // namespace

bool DecodeFlac(std::span<const std::uint8_t> file, const FlacStream& stream, SoundNumber number,
                void* out) {
  const auto channels = static_cast<std::size_t>(stream.channels);
  const auto apart = static_cast<std::size_t>(stream.largest_block);
  const std::unique_ptr<std::int32_t[]> room(new (std::nothrow) std::int32_t[channels * apart]);
  if (room == nullptr) return false;
  FlacBits bits(file, stream.start);
  FlacPlace place;
  while (place.sample < stream.frames) {
    const int samples = DecodeFlacFrame(stream, place, file, &bits, {room.get(), channels * apart});
    const Block block{room.get(), apart, static_cast<std::size_t>(samples), stream.channels,
                      stream.bits};
    if (samples == 0 || !InRange(block)) return false;
    Write(block, number, static_cast<std::size_t>(place.sample) * channels, out);
    place.frame += 1;
    place.sample += samples;
  }
  return true;
}

}  // namespace dynjax
