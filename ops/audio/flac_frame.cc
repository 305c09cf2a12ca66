#include "audio/flac_frame.h"

#include <array>
#include <cstddef>

#include "audio/flac_crc.h"
#include "audio/flac_subframe.h"

namespace dynjax {
namespace {

constexpr std::uint32_t kSync = 0x3ffe;
// How two channels are stored: as they are, or one of them or their mean with the difference.
enum Pair : std::uint32_t { kLeftSide = 8, kSideRight = 9, kMidSide = 10 };

struct Header {
  int samples = 0;  // 0: damaged, or of another form than its stream
  std::uint32_t pair = 0;
};

// A number in the coding of UTF-8, which goes on to 36 bits here; -1: no such code.
std::int64_t TakeNumber(FlacBits* bits) {
  const std::uint32_t first = bits->Take(8);
  const int ones = std::countl_one(static_cast<std::uint8_t>(first));
  if (ones == 0) return first;
  if (ones == 1 || ones == 8) return -1;
  std::int64_t number = first & (0x7fu >> ones);
  for (int k = 1; k < ones; ++k) {
    const std::uint32_t next = bits->Take(8);
    if (next >> 6 != 2) return -1;
    number = number << 6 | (next & 0x3f);
  }
  return number;
}

int TakeSamples(std::uint32_t code, FlacBits* bits) {
  if (code == 0) return 0;
  if (code == 1) return 192;
  if (code < 6) return 576 << (code - 2);
  if (code < 8) return static_cast<int>(bits->Take(code == 6 ? 8 : 16)) + 1;
  return 256 << (code - 8);
}

std::int32_t TakeRate(std::uint32_t code, std::int32_t stream_rate, FlacBits* bits) {
  constexpr std::array<std::int32_t, 12> kRates{0,     88200, 176400, 192000, 8000,  16000,
                                                22050, 24000, 32000,  44100,  48000, 96000};
  if (code == 0) return stream_rate;
  if (code < kRates.size()) return kRates[code];
  if (code == 12) return 1000 * static_cast<std::int32_t>(bits->Take(8));
  if (code == 13) return static_cast<std::int32_t>(bits->Take(16));
  if (code == 14) return 10 * static_cast<std::int32_t>(bits->Take(16));
  return -1;
}

int BitsOf(std::uint32_t code, int stream_bits) {
  constexpr std::array<int, 8> kBits{0, 8, 12, -1, 16, 20, 24, 32};
  return code == 0 ? stream_bits : kBits[code];
}

Header TakeHeader(const FlacStream& stream, const FlacPlace& place,
                  std::span<const std::uint8_t> file, FlacBits* bits) {
  const std::size_t start = bits->byte();
  if (bits->Take(14) != kSync || bits->Take(1) != 0) return {};
  const bool has_variable_size = bits->Take(1) != 0;
  const std::uint32_t size_code = bits->Take(4), rate_code = bits->Take(4);
  const std::uint32_t pair = bits->Take(4), bits_code = bits->Take(3);
  if (bits->Take(1) != 0) return {};
  const std::int64_t number = TakeNumber(bits);
  const int samples = TakeSamples(size_code, bits);
  const std::int32_t rate = TakeRate(rate_code, stream.rate, bits);
  bits->Skip(8);
  if (bits->overrun() || FlacCrc8(file.subspan(start, bits->byte() - start)) != 0) return {};
  const int channels = pair < kLeftSide ? static_cast<int>(pair) + 1 : pair <= kMidSide ? 2 : 0;
  const bool fits = number == (has_variable_size ? place.sample : place.frame) &&
                    samples <= stream.largest_block && samples <= stream.frames - place.sample &&
                    rate == stream.rate && channels == stream.channels &&
                    BitsOf(bits_code, stream.bits) == stream.bits;
  return fits ? Header{samples, pair} : Header{};
}

// What wraps here is out of range, and found to be so by whoever scales it.
std::int32_t Sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t Difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

// Makes left and right of what is stored.
void Separate(std::uint32_t pair, int samples, std::int32_t* a, std::int32_t* b) {
  if (pair == kLeftSide) {
    for (int i = 0; i < samples; ++i) b[i] = Difference(a[i], b[i]);
  } else if (pair == kSideRight) {
    for (int i = 0; i < samples; ++i) a[i] = Sum(a[i], b[i]);
  } else if (pair == kMidSide) {
    for (int i = 0; i < samples; ++i) {
      // The sum of the two is twice their mean, and odd where their difference is.
      const std::int32_t side = b[i], right = Difference(a[i], side >> 1);
      a[i] = Sum(right, side);
      b[i] = right;
    }
  }
}

}  // namespace

int DecodeFlacFrame(const FlacStream& stream, const FlacPlace& place,
                    std::span<const std::uint8_t> file, FlacBits* bits,
                    std::span<std::int32_t> room) {
  const std::size_t start = bits->byte();
  const Header header = TakeHeader(stream, place, file, bits);
  if (header.samples == 0) return 0;
  const auto apart = static_cast<std::size_t>(stream.largest_block);
  for (int c = 0; c < stream.channels; ++c) {
    // A difference of two samples has a bit more than they have.
    const bool is_side = header.pair == kSideRight ? c == 0 : header.pair >= kLeftSide && c == 1;
    const auto channel =
        room.subspan(static_cast<std::size_t>(c) * apart, static_cast<std::size_t>(header.samples));
    if (!DecodeFlacSubframe(stream.bits + (is_side ? 1 : 0), bits, channel)) return 0;
  }
  if (const int over = static_cast<int>(bits->bit() % 8); over != 0 && bits->Take(8 - over) != 0) {
    return 0;
  }
  bits->Skip(16);
  if (bits->overrun() || FlacCrc16(file.subspan(start, bits->byte() - start)) != 0) return 0;
  if (stream.channels == 2) {
    Separate(header.pair, header.samples, room.data(), room.data() + apart);
  }
  return header.samples;
}

}  // namespace dynjax
