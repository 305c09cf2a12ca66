// What stands before the frames of a FLAC file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dynjax {

struct FlacStream {
  int channels = 0;  // 1 to 8
  int bits = 0;      // of a sample: 4 to 24
  std::int32_t rate = 0;
  int largest_block = 0;    // samples of a channel in a frame: 16 to 65535
  std::int64_t frames = 0;  // samples of a channel in the file: known, and not many more than the
                            // size of the file makes plausible
  std::size_t start = 0;    // of the first frame
};

// Reads the metadata. nullopt: no FLAC file, or none that `DecodeFlac` takes.
std::optional<FlacStream> ReadFlacStream(std::span<const std::uint8_t> file);

}  // namespace dynjax
