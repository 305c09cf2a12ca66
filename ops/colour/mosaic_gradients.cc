#include "colour/mosaic_gradients.h"

#include <vector>

#include "colour/debayer_avx2.h"
#include "colour/mosaic_gradients_rows.h"
#include "filters/border.h"

namespace dynjax {
namespace {

// Input rows split into even and odd columns: row y in slot y modulo 5.
class SplitRows {
 public:
  SplitRows(const std::uint8_t* in, std::int64_t in_step, std::int64_t height, std::int64_t width)
      : in_(in),
        in_step_(in_step),
        height_(height),
        width_(width),
        size_(width / 2 + 2 + kGradientSlack) {
    elements_.resize(static_cast<std::size_t>(10 * size_));
  }

  // Rows are asked for in order, each once: `y` may lie two rows outside.
  void Fill(std::int64_t y) {
    const std::uint8_t* from = in_ + BorderIndex(y, height_, Border::kReflect101) * in_step_;
    std::int16_t *even = Plane(y, 0), *odd = Plane(y, 1);
    for (std::int64_t i = 0; i < width_ / 2; ++i) {
      even[i + 1] = from[2 * i];
      odd[i + 1] = from[2 * i + 1];
    }
    even[0] = from[2];
    odd[0] = from[1];
    even[width_ / 2 + 1] = from[width_ - 2];
    odd[width_ / 2 + 1] = from[width_ - 3];
  }

  std::int16_t* Plane(std::int64_t y, int parity) {
    return elements_.data() + ((y + 5) % 5 * 2 + parity) * size_;
  }

 private:
  const std::uint8_t* in_;
  std::int64_t in_step_, height_, width_, size_;
  std::vector<std::int16_t> elements_;
};

}  // namespace

void DebayerByGradients(const std::uint8_t* in, std::int64_t in_step, std::int64_t height,
                        std::int64_t width, std::int32_t first_y, std::int32_t first_x,
                        std::uint8_t* out, std::int64_t out_step, Target instructions) {
  SplitRows split(in, in_step, height, width);
  for (std::int64_t y = -2; y < 2; ++y) split.Fill(y);
  for (std::int64_t y = 0; y < height; ++y) {
    split.Fill(y + 2);
    GradientRows rows;
    for (int k = 0; k < 5; ++k) {
      for (int parity = 0; parity < 2; ++parity) {
        rows.planes[k][parity] = split.Plane(y + k - 2, parity);
      }
    }
    rows.has_first = (y & 1) == first_y;
    rows.phase = rows.has_first ? first_x : 1 - first_x;
#if defined(__x86_64__)
    if (instructions == Target::kAvx2) {
      Avx2MosaicGradientsRow(rows, width, out + y * out_step);
      continue;
    }
#endif
    (void)instructions;
    MosaicGradientsRow(rows, width, out + y * out_step);
  }
}

}  // namespace dynjax
