// Fuzz target of the fast JPEG decoder: what it calls done has the pixels of libjpeg-turbo.
#include <cstdlib>
#include <vector>

#include "decoders/image_info.h"
#include "decoders/jpeg.h"
#include "decoders/jpeg_fast.h"

namespace dynjax {
namespace {

constexpr std::int64_t kMaxPixels = 1 << 16;
// Behind the picture, to make the decoder think that it has many bytes: it makes larger tables
// then.
constexpr std::size_t kBytesBehind = 32 << 10;

struct Picture {
  std::vector<std::byte> pixels;
  ImageTarget target;

  Picture(const Region& part, std::int32_t channels)
      : pixels(static_cast<std::size_t>(part.height) * static_cast<std::size_t>(part.width) *
               static_cast<std::size_t>(channels)),
        target{.data = pixels.data(),
               .height = part.height,
               .width = part.width,
               .channels = channels,
               .row_stride = std::int64_t{part.width} * channels,
               .pixel_stride = channels,
               .type = PixelType::kU8} {}
};

void Compare(Bytes encoded, const ImageInfo& info, OutputType type, const Region& part,
             std::int32_t scale) {
  auto [source, rest] = JpegPixelsFor(info, type);
  source.height = part.height;
  source.width = part.width;
  Picture fast(part, OutputChannels(rest, source.channels)), slow = fast;
  slow.target.data = slow.pixels.data();
  RowSink fast_sink(source, rest, 1, fast.target), slow_sink(source, rest, 1, slow.target);
  if (!fast_sink.Prepare() || !slow_sink.Prepare()) return;
  if (!DecodeFastJpeg(encoded, info, type, part, scale, &fast_sink)) return;
  const bool reaches_end = part.y + part.height == ScaledSize(info.height, scale);
  const Status status = DecodeWithLibjpeg(encoded, info, type, part, scale, &slow_sink);
  // libjpeg reads further than a part needs, and may find what is wrong there.
  if (!status.ok() && !reaches_end) return;
  if (!status.ok() || fast.pixels != slow.pixels) std::abort();
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  // A copy of the exact size, so that a sanitizer sees reads past the end.
  std::vector<std::uint8_t> encoded(data, data + size);
  ImageInfo info;
  if (!PeekImage(encoded, &info).ok() || info.format != ImageFormat::kJpeg || !info.native ||
      std::int64_t{info.height} * info.width > kMaxPixels) {
    return 0;
  }
  std::uint32_t choice = static_cast<std::uint32_t>(size);
  const auto below = [&choice](std::int32_t n) {
    choice = choice * 1664525u + 1013904223u;
    return static_cast<std::int32_t>((choice >> 8) % static_cast<std::uint32_t>(n));
  };
  Compare(encoded, info, OutputType::kRgb, WholeOf(info.height, info.width), kFullScale);
  const auto type = static_cast<OutputType>(below(5));
  const std::int32_t scale = 1 << below(3);
  const Region scaled = WholeOf(ScaledSize(info.height, scale), ScaledSize(info.width, scale));
  Compare(encoded, info, type, scaled, scale);
  const std::int32_t y = below(info.height), x = below(info.width);
  const Region part{y, x, 1 + below(info.height - y), 1 + below(info.width - x)};
  Compare(encoded, info, type, part, kFullScale);
  encoded.resize(size + kBytesBehind);
  Compare(encoded, info, OutputType::kRgb, WholeOf(info.height, info.width), kFullScale);
  Compare(encoded, info, type, scaled, scale);
  Compare(encoded, info, type, part, kFullScale);
  return 0;
}
