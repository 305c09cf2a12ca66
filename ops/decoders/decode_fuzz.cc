// Fuzz target of the image decoders: whatever the bytes say, nothing is read outside them and
// nothing is written outside the target, and a picture that is no picture is a status.
//
// libFuzzer: clang++ -fsanitize=fuzzer,address,undefined. Without it: tests/native/decoders/
// fuzz_files.cc runs it over files and mutations of them.
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "decoders/decode.h"
#include "decoders/image_info.h"

namespace dynjax {
namespace {

constexpr std::int64_t kMaxPixels = 1 << 20;
constexpr std::size_t kGuard = 64;
constexpr std::byte kCanary{0xa5};

bool IsUntouched(const std::byte* guard) {
  for (std::size_t i = 0; i < kGuard; ++i) {
    if (guard[i] != kCanary) return false;
  }
  return true;
}

void Check(bool promise) {
  if (!promise) std::abort();
}

// Decodes into a slot that is larger than the picture by `slack` in width and channels: the whole,
// or a part that `choice` picks.
void DecodeGuarded(Bytes encoded, const ImageInfo& info, const DecodeOptions& options,
                   PixelType type, int slack, std::optional<std::uint32_t> choice = {}) {
  auto extent = ExtentOf(info, options);
  std::optional<PartOrigin> part;
  if (choice) {
    const auto below = [&choice](std::int32_t n) {
      *choice = *choice * 1664525u + 1013904223u;
      return static_cast<std::int32_t>(*choice % static_cast<std::uint32_t>(n));
    };
    part = PartOrigin{below(extent.height), below(extent.width)};
    extent.height = 1 + below(extent.height - part->y);
    extent.width = 1 + below(extent.width - part->x);
  }
  const std::size_t pixel = static_cast<std::size_t>(extent.channels + slack) * ItemBytes(type);
  const std::size_t row = static_cast<std::size_t>(extent.width + slack) * pixel;
  const std::size_t size = static_cast<std::size_t>(extent.height) * row;
  std::vector<std::byte> memory(size + 2 * kGuard, kCanary);
  const ImageTarget target{.data = memory.data() + kGuard,
                           .height = extent.height,
                           .width = extent.width,
                           .channels = extent.channels,
                           .row_stride = static_cast<std::int64_t>(row),
                           .pixel_stride = static_cast<std::int64_t>(pixel),
                           .type = type};
  const Status status = DecodeImage(encoded, options, part, target);
  Check(status.code() != StatusCode::kUnrecognised);
  Check(IsUntouched(memory.data()) && IsUntouched(memory.data() + kGuard + size));
  for (std::int32_t y = 0; slack > 0 && y < extent.height; ++y) {
    Check(memory[kGuard + static_cast<std::size_t>(y + 1) * row - 1] == kCanary);
  }
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  // A copy of the exact size, so that a sanitizer sees reads past the end.
  const std::vector<std::uint8_t> encoded(data, data + size);
  ImageInfo info;
  const Status status = PeekImage(encoded, &info);
  if (!status.ok() || !info.native) return 0;
  Check(info.height > 0 && info.width > 0 && info.channels >= 1 && info.channels <= 4 &&
        info.orientation >= 1 && info.orientation <= 8);
  if (std::int64_t{info.height} * info.width > kMaxPixels) return 0;
  // The variants are chosen by the length, so that a file always takes the same path.
  const DecodeOptions options{.output_type = static_cast<OutputType>(size % 5),
                              .adjust_orientation = size % 2 == 0};
  DecodeGuarded(encoded, info, options, static_cast<PixelType>(size % 7), size % 3 == 0 ? 1 : 0);
  DecodeGuarded(encoded, info, {}, PixelType::kU8, 0);
  DecodeGuarded(encoded, info, {.scale = 1 + static_cast<std::int32_t>(size % 8)}, PixelType::kU8,
                0);
  DecodeGuarded(encoded, info, options, static_cast<PixelType>(size % 7), size % 3 == 0 ? 1 : 0,
                static_cast<std::uint32_t>(size));
  DecodeGuarded(encoded, info, {}, PixelType::kU8, 0, static_cast<std::uint32_t>(size));
  return 0;
}
