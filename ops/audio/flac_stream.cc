#include "audio/flac_stream.h"

#include <cstring>

#include "audio/flac_bits.h"

namespace dynjax {
namespace {

constexpr std::size_t kBlockHeader = 4, kStreamInfo = 34;
constexpr std::uint32_t kStreamInfoType = 0, kInvalidType = 127;

// A frame of silence of the usual size holds 370 samples a byte. More than this is no sound, and
// would be a way to ask for much memory with few bytes.
constexpr std::int64_t kMostSamplesPerByte = 1024;

// STREAMINFO: the smallest and largest block and frame, rate, channels, bits, samples, MD5 sum.
FlacStream Parse(std::span<const std::uint8_t> file, std::size_t at) {
  FlacBits bits(file, at);
  FlacStream stream;
  bits.Skip(16);
  stream.largest_block = static_cast<int>(bits.Take(16));
  bits.Skip(24 + 24);
  stream.rate = static_cast<std::int32_t>(bits.Take(20));
  stream.channels = static_cast<int>(bits.Take(3)) + 1;
  stream.bits = static_cast<int>(bits.Take(5)) + 1;
  const auto upper = static_cast<std::int64_t>(bits.Take(4));
  stream.frames = upper << 32 | static_cast<std::int64_t>(bits.Take(32));
  return stream;
}

}  // namespace

std::optional<FlacStream> ReadFlacStream(std::span<const std::uint8_t> file) {
  if (file.size() < 4 || std::memcmp(file.data(), "fLaC", 4) != 0) return std::nullopt;
  FlacStream stream;
  std::size_t at = 4;
  for (bool is_first = true, is_last = false; !is_last; is_first = false) {
    if (file.size() - at < kBlockHeader) return std::nullopt;
    FlacBits header(file, at);
    is_last = header.Take(1) != 0;
    const std::uint32_t type = header.Take(7);
    const std::size_t size = header.Take(24);
    at += kBlockHeader;
    if (size > file.size() - at || type == kInvalidType) return std::nullopt;
    if (is_first != (type == kStreamInfoType) || (is_first && size != kStreamInfo)) {
      return std::nullopt;
    }
    if (is_first) stream = Parse(file, at);
    at += size;
  }
  stream.start = at;
  const auto most = static_cast<std::int64_t>(file.size() - at) * kMostSamplesPerByte;
  const bool taken = stream.bits >= 4 && stream.bits <= 24 && stream.rate > 0 &&
                     stream.largest_block >= 16 && stream.frames > 0 &&
                     stream.frames <= most / stream.channels;
  return taken ? std::optional(stream) : std::nullopt;
}

}  // namespace dynjax
