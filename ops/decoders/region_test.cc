// Parts of JPEG pictures against the whole, and the arithmetic of turned parts.

#include "decoders/region.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

// clang-format off
#include <jpeglib.h>
// clang-format on

#include "decoders/decode.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  ++failures;
}

// Each pixel of a turned picture comes from where the EXIF orientation says.
void TestStoredRegion() {
  constexpr std::int32_t kHeight = 5, kWidth = 7;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const bool is_turned = orientation >= 5;
    const std::int32_t height = is_turned ? kWidth : kHeight, width = is_turned ? kHeight : kWidth;
    for (std::int32_t y = 0; y < height; ++y) {
      for (std::int32_t x = 0; x < width; ++x) {
        const auto part = StoredRegion({y, x, 1, 1}, kHeight, kWidth, orientation);
        const std::array<Region, 8> wanted{{{y, x, 1, 1},
                                            {y, kWidth - 1 - x, 1, 1},
                                            {kHeight - 1 - y, kWidth - 1 - x, 1, 1},
                                            {kHeight - 1 - y, x, 1, 1},
                                            {x, y, 1, 1},
                                            {kHeight - 1 - x, y, 1, 1},
                                            {kHeight - 1 - x, kWidth - 1 - y, 1, 1},
                                            {x, kWidth - 1 - y, 1, 1}}};
        Check(part == wanted[static_cast<std::size_t>(orientation - 1)], "one turned pixel");
      }
    }
    Check(StoredRegion({0, 0, height, width}, kHeight, kWidth, orientation) ==
              WholeOf(kHeight, kWidth),
          "the whole");
    Check(!StoredRegion({0, 0, height + 1, width}, kHeight, kWidth, orientation), "too high");
    Check(!StoredRegion({1, 0, height, width}, kHeight, kWidth, orientation), "too low");
    Check(!StoredRegion({0, -1, height, width}, kHeight, kWidth, orientation), "too far left");
    Check(!StoredRegion({0, 0, 0, width}, kHeight, kWidth, orientation), "empty");
  }
}

// Noise, whose every pixel tells a neighbour's mistake; `h` and `v` are the luma's factors.
std::vector<std::uint8_t> Encoded(int height, int width, int h, int v, bool is_progressive) {
  jpeg_compress_struct codec;
  jpeg_error_mgr errors;
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &memory, &size);
  codec.image_width = static_cast<JDIMENSION>(width);
  codec.image_height = static_cast<JDIMENSION>(height);
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  codec.comp_info[0].h_samp_factor = h;
  codec.comp_info[0].v_samp_factor = v;
  codec.restart_interval = static_cast<unsigned>(height % 2 * 3);
  if (is_progressive) jpeg_simple_progression(&codec);
  jpeg_start_compress(&codec, TRUE);
  std::mt19937 random(static_cast<unsigned>(height * width));
  std::vector<JSAMPLE> row(static_cast<std::size_t>(width) * 3);
  while (codec.next_scanline < codec.image_height) {
    for (auto& sample : row) sample = static_cast<JSAMPLE>(random());
    JSAMPROW rows[] = {row.data()};
    jpeg_write_scanlines(&codec, rows, 1);
  }
  jpeg_finish_compress(&codec);
  std::vector<std::uint8_t> out(memory, memory + size);
  jpeg_destroy_compress(&codec);
  std::free(memory);
  return out;
}

std::vector<std::byte> Decoded(Bytes encoded, std::optional<PartOrigin> part, std::int32_t height,
                               std::int32_t width) {
  std::vector<std::byte> pixels(static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
                                3);
  const ImageTarget target{.data = pixels.data(),
                           .height = height,
                           .width = width,
                           .channels = 3,
                           .row_stride = std::int64_t{3} * width,
                           .pixel_stride = 3,
                           .type = PixelType::kU8};
  Check(DecodeImage(encoded, {}, part, target).ok(), "decodes");
  return pixels;
}

void TestParts(int height, int width, int h, int v, bool is_progressive) {
  const auto encoded = Encoded(height, width, h, v, is_progressive);
  const auto whole = Decoded(encoded, std::nullopt, height, width);
  std::mt19937 random(1);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  for (int k = 0; k < 60; ++k) {
    const int y = below(height), x = below(width);
    const int tall = 1 + below(height - y), wide = 1 + below(width - x);
    const auto part = Decoded(encoded, PartOrigin{y, x}, tall, wide);
    bool is_equal = true;
    for (int row = 0; row < tall; ++row) {
      const auto bytes = static_cast<std::size_t>(wide) * 3;
      is_equal &= std::memcmp(part.data() + static_cast<std::size_t>(row) * bytes,
                              whole.data() + (static_cast<std::size_t>(y + row) *
                                                  static_cast<std::size_t>(width) +
                                              static_cast<std::size_t>(x)) *
                                                 3,
                              bytes) == 0;
    }
    Check(is_equal, "a part has the pixels of the whole");
  }
}

}  // namespace
}  // namespace dynjax

int main() {
  using namespace dynjax;
  TestStoredRegion();
  for (const auto [h, v] : {std::array{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}}) {
    for (const bool is_progressive : {false, true}) {
      TestParts(83, 131, h, v, is_progressive);
      TestParts(100, 64, h, v, is_progressive);
    }
  }
  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}
