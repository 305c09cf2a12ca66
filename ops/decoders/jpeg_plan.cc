#include "decoders/jpeg_plan.h"

#include <algorithm>

namespace dynjax {
namespace {

constexpr std::int32_t CeilDiv(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>((a + b - 1) / b);
}

// libjpeg transforms chroma blocks to more samples rather than scale these up, as far as both
// directions allow.
std::int32_t BlockSize(const JpegComponent& of, const JpegComponent& luma, std::int32_t scale) {
  std::int32_t size = scale;
  while (size < 8 && luma.h * scale % (of.h * size * 2) == 0 &&
         luma.v * scale % (of.v * size * 2) == 0) {
    size *= 2;
  }
  return size;
}

struct Range {
  std::int32_t first, end;
};

// The units of `size` samples that pixels [first, first + count) depend on.
Range Units(std::int32_t first, std::int32_t count, bool is_half, std::int32_t size,
            std::int32_t units) {
  std::int32_t last = first + count - 1;
  if (is_half) {
    first = std::max(first / 2 - 1, 0);
    last = last / 2 + 1;
  }
  return {first / size, std::min(last / size + 1, units)};
}

}  // namespace

bool MakeJpegPlan(const JpegFrame& frame, bool is_gray, const Region& part, std::int32_t scale,
                  JpegPlan* plan) {
  if (scale != 8 && scale != 4 && scale != 2 && scale != 1) return false;
  const JpegComponent& luma = frame.components[0];
  plan->part = part;
  plan->height = CeilDiv(std::int64_t{frame.height} * scale, 8);
  plan->has_chroma = frame.count == 3 && !is_gray;
  plan->units_across = CeilDiv(frame.width, 8 * luma.h);
  plan->units_down = CeilDiv(frame.height, 8 * luma.v);
  for (std::size_t c = 0; c < static_cast<std::size_t>(frame.count); ++c) {
    const JpegComponent& component = frame.components[c];
    // A multiple of four times the largest quantiser is compared with 16 bits.
    if (*std::max_element(component.quant.begin(), component.quant.end()) > 0x3fff) return false;
    auto& plane = plan->planes[c];
    plane.block = BlockSize(component, luma, scale);
    plane.unit_width = component.h * plane.block;
    plane.unit_height = component.v * plane.block;
    plane.width = CeilDiv(std::int64_t{frame.width} * plane.unit_width, 8 * luma.h);
    plane.height = CeilDiv(std::int64_t{frame.height} * plane.unit_height, 8 * luma.v);
  }
  const auto& first = plan->planes[0];
  auto narrow = first;
  if (plan->has_chroma) {
    narrow = plan->planes[1];
    plan->is_half_across = narrow.unit_width < first.unit_width;
    plan->is_half_down = narrow.unit_height < first.unit_height;
    // libjpeg repeats samples then.
    if (plan->is_half_across && (narrow.width <= 2 || scale == 1)) return false;
  }
  const Range columns =
      Units(part.x, part.width, plan->is_half_across, narrow.unit_width, plan->units_across);
  const Range rows =
      Units(part.y, part.height, plan->is_half_down, narrow.unit_height, plan->units_down);
  plan->step = luma.h == 1 ? 2 : 1;
  plan->first_column = columns.first / plan->step * plan->step;
  plan->end_column = columns.end;
  plan->first_row = rows.first;
  plan->end_row = rows.end;
  return true;
}

}  // namespace dynjax
