#include "colour/debayer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "colour/debayer_avx2.h"
#include "colour/debayer_rows.h"
#include "filters/border.h"

namespace dynjax {
namespace {

template <typename T>
void Row(const MosaicRows<T>& rows, std::int64_t width, T* out, Target instructions) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    if (instructions == Target::kAvx2) {
      return Avx2MosaicRow(rows.above, rows.own, rows.below, rows.has_first, rows.phase, width,
                           out);
    }
  }
#endif
  (void)instructions;
  MosaicRow(rows, width, out);
}

// Sides of two elements have no inner pixels: the mosaic is mirrored about its border first.
template <typename T>
void Narrow(const T* in, std::int64_t in_step, std::int64_t height, std::int64_t width,
            std::int32_t first_y, std::int32_t first_x, T* out, std::int64_t out_step) {
  const std::int64_t wide = width + 2;
  std::vector<T> mirrored(static_cast<std::size_t>((height + 2) * wide));
  for (std::int64_t y = -1; y <= height; ++y) {
    for (std::int64_t x = -1; x <= width; ++x) {
      mirrored[static_cast<std::size_t>((y + 1) * wide + x + 1)] =
          in[BorderIndex(y, height, Border::kReflect101) * in_step +
             BorderIndex(x, width, Border::kReflect101)];
    }
  }
  for (std::int64_t y = 0; y < height; ++y) {
    const std::int64_t v = std::clamp<std::int64_t>(y, 1, std::max<std::int64_t>(height - 2, 1));
    const T* own = mirrored.data() + (v + 1) * wide + 1;
    const bool has_first = (v & 1) == first_y;
    const MosaicRows<T> rows{own - wide, own, own + wide, has_first,
                             has_first ? first_x : 1 - first_x};
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t u = std::clamp<std::int64_t>(x, 1, std::max<std::int64_t>(width - 2, 1));
      MosaicPixel(rows, u, out + y * out_step + 3 * x);
    }
  }
}

}  // namespace

template <typename T>
void Debayer(const T* in, std::int64_t in_step, std::int64_t height, std::int64_t width,
             std::int32_t first_y, std::int32_t first_x, T* out, std::int64_t out_step,
             Target instructions) {
  if (height < 2 || width < 2) return;
  if (height < 3 || width < 3) {
    return Narrow(in, in_step, height, width, first_y, first_x, out, out_step);
  }
  for (std::int64_t y = 1; y < height - 1; ++y) {
    const T* own = in + y * in_step;
    const bool has_first = (y & 1) == first_y;
    T* row = out + y * out_step;
    Row<T>({own - in_step, own, own + in_step, has_first, has_first ? first_x : 1 - first_x}, width,
           row, instructions);
    std::memcpy(row, row + 3, 3 * sizeof(T));
    std::memcpy(row + 3 * (width - 1), row + 3 * (width - 2), 3 * sizeof(T));
  }
  const auto bytes = static_cast<std::size_t>(3 * width) * sizeof(T);
  std::memcpy(out, out + out_step, bytes);
  std::memcpy(out + (height - 1) * out_step, out + (height - 2) * out_step, bytes);
}

template void Debayer<std::uint8_t>(const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t,
                                    std::int32_t, std::int32_t, std::uint8_t*, std::int64_t,
                                    Target);
template void Debayer<std::uint16_t>(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t,
                                     std::int32_t, std::int32_t, std::uint16_t*, std::int64_t,
                                     Target);

}  // namespace dynjax
