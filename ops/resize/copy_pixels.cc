#include "resize/copy_pixels.h"

#include <cstring>

namespace dynjax {
namespace {

// `kBytes` 0: a pixel of `bytes` bytes. Sizes known to the compiler copy by plain moves.
template <std::size_t kBytes>
void Gather(const std::byte* row, const Taps& taps, std::size_t bytes, std::byte* out) {
  const std::size_t size = kBytes > 0 ? kBytes : bytes;
  for (const auto column : taps.first) {
    std::memcpy(out, row + static_cast<std::size_t>(column) * size, size);
    out += size;
  }
}

// Three bytes as one move of four: the fourth is written over by the next pixel. The last output
// and the source's last pixel, after which nothing may be read, are moved exactly.
void GatherRgb(const std::byte* row, const Taps& taps, std::byte* out) {
  const std::size_t n = taps.first.size();
  for (std::size_t o = 0; o < n; ++o, out += 3) {
    const std::int32_t column = taps.first[o];
    const std::byte* pixel = row + static_cast<std::size_t>(column) * 3;
    if (column + 1 < taps.in && o + 1 < n) {
      std::memcpy(out, pixel, 4);
    } else {
      std::memcpy(out, pixel, 3);
    }
  }
}

void GatherRow(const std::byte* row, const Taps& taps, std::size_t bytes, std::byte* out) {
  switch (bytes) {
    case 1:
      return Gather<1>(row, taps, bytes, out);
    case 2:
      return Gather<2>(row, taps, bytes, out);
    case 3:
      return GatherRgb(row, taps, out);
    case 4:
      return Gather<4>(row, taps, bytes, out);
    case 6:
      return Gather<6>(row, taps, bytes, out);
    case 8:
      return Gather<8>(row, taps, bytes, out);
    case 12:
      return Gather<12>(row, taps, bytes, out);
    case 16:
      return Gather<16>(row, taps, bytes, out);
    default:
      return Gather<0>(row, taps, bytes, out);
  }
}

void CopyAxis(const StridedView& from, const StridedView& to, std::size_t axis, std::int64_t source,
              std::int64_t target) {
  const std::size_t bytes = Bytes(from.type);
  if (axis + 1 == from.extent.size()) {
    std::memcpy(to.data + static_cast<std::size_t>(target) * bytes,
                from.data + static_cast<std::size_t>(source) * bytes,
                static_cast<std::size_t>(from.extent[axis]) * bytes);
    return;
  }
  for (std::int32_t i = 0; i < from.extent[axis]; ++i) {
    CopyAxis(from, to, axis + 1, source + i * from.strides[axis], target + i * to.strides[axis]);
  }
}

}  // namespace

void CopyPixels(const PixelPlane& plane, const Taps& vertical, const Taps& horizontal,
                std::int64_t channels, std::int64_t out_row_bytes, std::byte* out) {
  const std::size_t pixel = static_cast<std::size_t>(channels) * Bytes(plane.type);
  const std::size_t row = pixel * static_cast<std::size_t>(horizontal.out);
  for (std::int32_t y = 0; y < vertical.out; ++y, out += out_row_bytes) {
    const std::int32_t from = vertical.first[static_cast<std::size_t>(y)];
    if (y > 0 && from == vertical.first[static_cast<std::size_t>(y) - 1]) {
      std::memcpy(out, out - out_row_bytes, row);
      continue;
    }
    const std::byte* source = plane.data + from * plane.row_bytes;
    if (horizontal.shifts()) {
      std::memcpy(out, source + static_cast<std::size_t>(horizontal.begin()) * pixel, row);
    } else {
      GatherRow(source, horizontal, pixel, out);
    }
  }
}

void CopyStrided(const StridedView& from, const StridedView& to) { CopyAxis(from, to, 0, 0, 0); }

}  // namespace dynjax
