#include "colour/debayer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "colour/debayer_avx2.h"
#include "colour/debayer_rows.h"
#include "colour/mosaic_gradients.h"
#include "colour/mosaic_grey_rows.h"
#include "filters/border.h"

namespace dynjax {
namespace {

template <typename T>
void Row(Demosaic method, const MosaicRows<T>& rows, std::int64_t width, T* out,
         Target instructions) {
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) {
    if (method == Demosaic::kGrey) {
      return Avx2MosaicGreyRow(rows.above, rows.own, rows.below, rows.has_first, rows.phase, width,
                               out);
    }
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      return Avx2MosaicRow(method == Demosaic::kEdgeAware, rows.above, rows.own, rows.below,
                           rows.has_first, rows.phase, width, out);
    }
  }
#endif
  (void)instructions;
  if (method == Demosaic::kGrey) return MosaicGreyRow(rows, width, out);
  method == Demosaic::kEdgeAware ? MosaicRow<true>(rows, width, out)
                                 : MosaicRow<false>(rows, width, out);
}

// Sides of two elements have no inner pixels: the mosaic is mirrored about its border first.
template <typename T>
void Narrow(Demosaic method, const T* in, std::int64_t in_step, std::int64_t height,
            std::int64_t width, std::int32_t first_y, std::int32_t first_x, T* out,
            std::int64_t out_step, Target instructions) {
  const std::int64_t wide = width + 2, high = height + 2, channels = ChannelsOf(method);
  std::vector<T> mirrored(static_cast<std::size_t>(high * wide));
  for (std::int64_t y = 0; y < high; ++y) {
    for (std::int64_t x = 0; x < wide; ++x) {
      mirrored[static_cast<std::size_t>(y * wide + x)] =
          in[BorderIndex(y - 1, height, Border::kReflect101) * in_step +
             BorderIndex(x - 1, width, Border::kReflect101)];
    }
  }
  std::vector<T> pixels(mirrored.size() * static_cast<std::size_t>(channels));
  Debayer(method, mirrored.data(), wide, high, wide, 1 - first_y, 1 - first_x, pixels.data(),
          channels * wide, instructions);
  const auto inner = [](std::int64_t at, std::int64_t extent) {
    return std::clamp<std::int64_t>(at, 1, std::max<std::int64_t>(extent - 2, 1)) + 1;
  };
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      std::copy_n(pixels.data() + channels * (inner(y, height) * wide + inner(x, width)), channels,
                  out + y * out_step + channels * x);
    }
  }
}

}  // namespace

template <typename T>
void Debayer(Demosaic method, const T* in, std::int64_t in_step, std::int64_t height,
             std::int64_t width, std::int32_t first_y, std::int32_t first_x, T* out,
             std::int64_t out_step, Target instructions) {
  if (height < 2 || width < 2) return;
  if (method == Demosaic::kGradients) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      if (std::min(height, width) >= kGradientSide) {
        return DebayerByGradients(in, in_step, height, width, first_y, first_x, out, out_step,
                                  instructions);
      }
    }
    method = Demosaic::kBilinear;
  }
  if (height < 3 || width < 3) {
    return Narrow(method, in, in_step, height, width, first_y, first_x, out, out_step,
                  instructions);
  }
  const std::int64_t channels = ChannelsOf(method);
  for (std::int64_t y = 1; y < height - 1; ++y) {
    const T* own = in + y * in_step;
    const bool has_first = (y & 1) == first_y;
    T* row = out + y * out_step;
    Row<T>(method,
           {own - in_step, own, own + in_step, has_first, has_first ? first_x : 1 - first_x}, width,
           row, instructions);
    std::copy_n(row + channels, channels, row);
    std::copy_n(row + channels * (width - 2), channels, row + channels * (width - 1));
  }
  const auto bytes = static_cast<std::size_t>(channels * width) * sizeof(T);
  std::memcpy(out, out + out_step, bytes);
  std::memcpy(out + (height - 1) * out_step, out + (height - 2) * out_step, bytes);
}

template void Debayer<std::uint8_t>(Demosaic, const std::uint8_t*, std::int64_t, std::int64_t,
                                    std::int64_t, std::int32_t, std::int32_t, std::uint8_t*,
                                    std::int64_t, Target);
template void Debayer<std::uint16_t>(Demosaic, const std::uint16_t*, std::int64_t, std::int64_t,
                                     std::int64_t, std::int32_t, std::int32_t, std::uint16_t*,
                                     std::int64_t, Target);

}  // namespace dynjax
