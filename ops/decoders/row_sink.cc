#include "decoders/row_sink.h"

#include <cstring>
#include <new>

namespace dynjax {
namespace {

// Columns that are placed before the next row is: small enough for all rows of a band to stay in
// the first-level cache.
constexpr std::int64_t kTileColumns = 64;

// Writes a band pixel by pixel. The outer loop runs over the columns of a tile, because its rows
// are neighbours in the target when the picture is transposed.
template <std::size_t kBytes>
void Scatter(const std::byte* rows, std::size_t stride, std::int64_t width, std::int64_t count,
             std::byte* to, std::int64_t step_x, std::int64_t step_y) {
  for (std::int64_t x0 = 0; x0 < width; x0 += kTileColumns) {
    const std::int64_t x1 = x0 + kTileColumns < width ? x0 + kTileColumns : width;
    for (std::int64_t x = x0; x < x1; ++x) {
      for (std::int64_t y = 0; y < count; ++y) {
        std::memcpy(
            to + x * step_x + y * step_y,
            rows + static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x) * kBytes,
            kBytes);
      }
    }
  }
}

using ScatterFunction = decltype(&Scatter<1>);

// A pixel has 1 to 4 channels of 1, 2 or 4 bytes.
ScatterFunction ScatterOf(std::size_t pixel_bytes) {
  switch (pixel_bytes) {
    case 1:
      return Scatter<1>;
    case 2:
      return Scatter<2>;
    case 3:
      return Scatter<3>;
    case 4:
      return Scatter<4>;
    case 6:
      return Scatter<6>;
    case 8:
      return Scatter<8>;
    case 12:
      return Scatter<12>;
    default:
      return Scatter<16>;
  }
}

}  // namespace

RowSink::RowSink(const SourcePixels& source, OutputType type, int orientation,
                 const ImageTarget& target)
    : source_(source), type_(type), target_(target) {
  const std::size_t item = ItemBytes(target.type);
  source_row_bytes_ = static_cast<std::size_t>(source.width) *
                      static_cast<std::size_t>(source.channels) * ItemBytes(source.type);
  pixel_bytes_ = static_cast<std::size_t>(OutputChannels(type, source.channels)) * item;
  is_copy_ = IsCopy(source, type, target.type);

  const std::int64_t across = target.pixel_stride, down = target.row_stride;
  const std::int64_t right = (target.width - 1) * across, bottom = (target.height - 1) * down;
  switch (orientation) {
    case 2:
      origin_ = target.data + right, step_x_ = -across, step_y_ = down;
      break;
    case 3:
      origin_ = target.data + right + bottom, step_x_ = -across, step_y_ = -down;
      break;
    case 4:
      origin_ = target.data + bottom, step_x_ = across, step_y_ = -down;
      break;
    case 5:
      origin_ = target.data, step_x_ = down, step_y_ = across;
      break;
    case 6:
      origin_ = target.data + right, step_x_ = down, step_y_ = -across;
      break;
    case 7:
      origin_ = target.data + right + bottom, step_x_ = -down, step_y_ = -across;
      break;
    case 8:
      origin_ = target.data + bottom, step_x_ = -down, step_y_ = across;
      break;
    default:
      origin_ = target.data, step_x_ = across, step_y_ = down;
  }
  is_direct_ = is_copy_ && orientation == 1 && across == static_cast<std::int64_t>(pixel_bytes_);
}

bool RowSink::Prepare() {
  if (is_copy_ || step_x_ == static_cast<std::int64_t>(pixel_bytes_)) return true;
  band_.reset(new (std::nothrow)
                  std::byte[kBandRows * static_cast<std::size_t>(source_.width) * pixel_bytes_]);
  return band_ != nullptr;
}

void RowSink::Write(std::int64_t y, std::int64_t count, const std::byte* rows, std::size_t stride) {
  std::byte* to = origin_ + y * step_y_;
  if (step_x_ == static_cast<std::int64_t>(pixel_bytes_)) {
    for (std::int64_t i = 0; i < count; ++i) {
      ConvertRow(source_, rows + static_cast<std::size_t>(i) * stride, source_.width, type_,
                 target_.type, to + i * step_y_);
    }
    return;
  }
  if (!is_copy_) {
    const std::size_t row_bytes = static_cast<std::size_t>(source_.width) * pixel_bytes_;
    for (std::int64_t i = 0; i < count; ++i) {
      ConvertRow(source_, rows + static_cast<std::size_t>(i) * stride, source_.width, type_,
                 target_.type, band_.get() + static_cast<std::size_t>(i) * row_bytes);
    }
    rows = band_.get();
    stride = row_bytes;
  }
  ScatterOf(pixel_bytes_)(rows, stride, source_.width, count, to, step_x_, step_y_);
}

}  // namespace dynjax
