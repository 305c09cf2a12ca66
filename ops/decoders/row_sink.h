// Where a codec's rows go: converts them and writes them, turned upright, into the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "decoders/pixels.h"

namespace dynjax {

// The memory of one decoded picture. Strides in bytes; channels lie next to each other.
struct ImageTarget {
  std::byte* data = nullptr;
  std::int32_t height = 0, width = 0, channels = 0;
  std::int64_t row_stride = 0, pixel_stride = 0;
  PixelType type = PixelType::kU8;
};

class RowSink {
 public:
  // `orientation` is EXIF 1..8, by which the stored picture is turned on its way. The target has
  // the size that this results in: the caller has checked it.
  RowSink(const SourcePixels& source, OutputType type, int orientation, const ImageTarget& target);

  const SourcePixels& source() const { return source_; }
  std::size_t source_row_bytes() const { return source_row_bytes_; }

  // Rows that come together make the transposing orientations cheaper.
  static constexpr std::int32_t kBandRows = 16;

  // False when there is no memory for a band.
  bool Prepare();

  // True when the rows can be written to where they belong as they are: `Row(y)` is that place.
  bool is_direct() const { return is_direct_; }
  std::byte* Row(std::int64_t y) const { return target_.data + y * target_.row_stride; }

  // Otherwise they go through here: `count` <= kBandRows source rows from `y` on, `stride` bytes
  // apart.
  void Write(std::int64_t y, std::int64_t count, const std::byte* rows, std::size_t stride);

 private:
  SourcePixels source_;
  OutputType type_;
  ImageTarget target_;
  std::size_t source_row_bytes_, pixel_bytes_;
  bool is_copy_, is_direct_;
  // Address of the pixel at column x, row y of the stored picture: origin_ + x*step_x_ + y*step_y_.
  std::byte* origin_;
  std::int64_t step_x_, step_y_;
  std::unique_ptr<std::byte[]> band_;  // converted rows, where they cannot be converted in place
};

}  // namespace dynjax
