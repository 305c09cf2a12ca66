#include "colour/jpeg_distortion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "colour/jpeg_rows.h"

namespace dynjax {
namespace {

using Quantisers = std::array<std::int32_t, 64>;

// ITU-T T.81, annex K.
constexpr Quantisers kLuma{16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                           14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                           18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                           49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
constexpr Quantisers kChroma{17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
                             24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
                             99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
                             99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99};

Quantisers Scaled(const Quantisers& table, std::int32_t quality) {
  quality = std::clamp(quality, 1, 100);
  const std::int32_t scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  Quantisers scaled;
  for (std::size_t k = 0; k < 64; ++k) {
    scaled[k] = std::clamp((table[k] * scale + 50) / 100, 1, 255);
  }
  return scaled;
}

constexpr std::int64_t RoundUp(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

// Bytes in rows of equal length, whole blocks of them.
struct Plane {
  std::int64_t height = 0, width = 0;  // of the picture; the rest repeats its last row
  std::int64_t stride = 0;
  std::vector<std::uint8_t> bytes;

  Plane(std::int64_t rows, std::int64_t columns, std::int64_t stride_of)
      : height(rows),
        width(columns),
        stride(stride_of),
        bytes(static_cast<std::size_t>(RoundUp(rows, 8) * stride_of + kJpegSlack)) {}
  std::uint8_t* Row(std::int64_t y) { return bytes.data() + y * stride; }

  void Code(const JpegRows& rows, const Quantisers& steps) {
    for (std::int64_t y = height; y % 8 != 0; ++y) {
      std::memcpy(Row(y), Row(height - 1), static_cast<std::size_t>(stride));
    }
    for (std::int64_t y = 0; y < height; y += 8) {
      rows.code(Row(y), stride, RoundUp(width, 8) / 8, steps.data());
    }
  }
};

class Distorting {
 public:
  Distorting(std::int64_t height, std::int64_t width, Target instructions)
      : rows_(JpegRowsFor(instructions)),
        height_(height),
        width_(width),
        padded_(RoundUp(width, 16)),
        luma_(height, width, padded_),
        blue_((height + 1) / 2, (width + 1) / 2, padded_ / 2),
        red_(blue_),
        line_(static_cast<std::size_t>(3 * padded_ + kJpegSlack)),
        sums_(static_cast<std::size_t>(blue_.width + 2)) {
    for (auto& row : chroma_) row.resize(static_cast<std::size_t>(padded_ + kJpegSlack));
  }

  void Read(const std::uint8_t* in, std::int64_t step) {
    for (std::int64_t y = 0; y < height_; ++y) {
      const bool lower = y % 2 != 0;
      ReadRow(in + y * step, luma_.Row(y), chroma_[lower ? 1 : 0].data(),
              chroma_[lower ? 3 : 2].data());
      if (!lower && y + 1 < height_) continue;
      const std::size_t second = lower ? 1 : 0;  // an odd last row counts twice
      rows_.halve(chroma_[0].data(), chroma_[second].data(), blue_.stride, blue_.Row(y / 2));
      rows_.halve(chroma_[2].data(), chroma_[2 + second].data(), red_.stride, red_.Row(y / 2));
    }
  }

  void Code(std::int32_t quality) {
    luma_.Code(rows_, Scaled(kLuma, quality));
    const Quantisers steps = Scaled(kChroma, quality);
    blue_.Code(rows_, steps);
    red_.Code(rows_, steps);
  }

  void Write(std::uint8_t* out, std::int64_t step) {
    const auto bytes = static_cast<std::size_t>(3 * width_);
    for (std::int64_t y = 0; y < height_; ++y) {
      Enlarge(blue_, y, chroma_[0].data());
      Enlarge(red_, y, chroma_[2].data());
      rows_.to_rgb(luma_.Row(y), chroma_[0].data(), chroma_[2].data(), RoundUp(width_, 8),
                   line_.data());
      std::memcpy(out + y * step, line_.data(), bytes);
    }
  }

 private:
  void ReadRow(const std::uint8_t* in, std::uint8_t* luma, std::uint8_t* blue, std::uint8_t* red) {
    std::memcpy(line_.data(), in, static_cast<std::size_t>(3 * width_));
    for (std::int64_t x = width_; x < padded_; ++x) {
      std::memcpy(line_.data() + 3 * x, in + 3 * (width_ - 1), 3);
    }
    rows_.to_ycc(line_.data(), padded_, luma, blue, red);
  }

  void Enlarge(Plane& plane, std::int64_t y, std::uint8_t* out) {
    const std::uint8_t* row = plane.Row(y / 2);
    if (plane.width <= 2) {  // too narrow to be smoothed
      for (std::int64_t x = 0; x < 2 * plane.width; ++x) out[x] = row[x / 2];
      return;
    }
    const std::int64_t beside =
        std::clamp<std::int64_t>(y / 2 + (y % 2 != 0 ? 1 : -1), 0, plane.height - 1);
    rows_.enlarge(row, plane.Row(beside), plane.width, sums_.data(), out);
  }

  const JpegRows& rows_;
  std::int64_t height_, width_, padded_;
  Plane luma_, blue_, red_;
  std::vector<std::uint8_t> line_;
  std::vector<std::int16_t> sums_;
  std::array<std::vector<std::uint8_t>, 4> chroma_;  // blue, blue, red, red: two rows of each
};

}  // namespace

void DistortAsJpeg(const std::uint8_t* in, std::int64_t in_step, std::int64_t height,
                   std::int64_t width, std::int32_t quality, std::uint8_t* out,
                   std::int64_t out_step, Target instructions) {
  if (height == 0 || width == 0) return;
  Distorting distorting(height, width, instructions);
  distorting.Read(in, in_step);
  distorting.Code(quality);
  distorting.Write(out, out_step);
}

}  // namespace dynjax
