#include "movement/fill.h"

#include <algorithm>
#include <cstring>

#include "movement/convert.h"

namespace dynjax {
namespace {

// `total` bytes of a repeated pattern.
void Repeat(const std::byte* pattern, std::size_t bytes, std::byte* out, std::size_t total) {
  if (total == 0) return;
  if (std::all_of(pattern, pattern + bytes, [&](std::byte b) { return b == pattern[0]; })) {
    std::memset(out, static_cast<int>(pattern[0]), total);
    return;
  }
  // Doubled while it is in the nearest cache, then copied from there.
  constexpr std::size_t kBlock = 4096;
  std::size_t done = std::min(bytes, total);
  std::memcpy(out, pattern, done);
  std::size_t block = done;
  while (done < total) {
    const std::size_t more = std::min(block, total - done);
    std::memcpy(out + done, out, more);
    done += more;
    if (block < kBlock && more == block) block *= 2;
  }
}

}  // namespace

Filler::Filler(const ArrayView& target, std::span<const float> values, int axis,
               Target instructions)
    : target_(target),
      axis_(values.size() > 1 ? axis : -1),
      bytes_(static_cast<std::int64_t>(Bytes(target.type))),
      count_(std::max<std::int64_t>(static_cast<std::int64_t>(values.size()), 1)),
      values_(static_cast<std::size_t>(count_ * bytes_)),
      dense_from_(target.extent.size()) {
  if (!values.empty()) {
    ConverterFor(Element::kF32, target.type, instructions)(values.data(), count_, values_.data());
  }
  std::int64_t step = 1;
  while (dense_from_ > 0 && target.strides[dense_from_ - 1] == step) {
    step *= target.extent[--dense_from_];
  }
}

Filler::Region Filler::RegionOf(std::span<const std::int64_t> low,
                                std::span<const std::int64_t> high) const {
  Region region{low, high, target_.extent.size()};
  while (region.axes > 0 && low[region.axes - 1] == 0 &&
         high[region.axes - 1] == target_.extent[region.axes - 1]) {
    --region.axes;
  }
  return region;
}

void Filler::Outside(std::span<const std::int64_t> low, std::span<const std::int64_t> high) const {
  if (target_.extent.empty()) return Slab(0, target_.data, 0, 1, 0);
  Around(0, target_.data, axis_ < 0 ? 0 : -1, RegionOf(low, high));
}

void Filler::Inside(std::span<const std::int64_t> low, std::span<const std::int64_t> high) const {
  if (target_.extent.empty()) return Slab(0, target_.data, 0, 1, 0);
  Within(0, target_.data, axis_ < 0 ? 0 : -1, RegionOf(low, high));
}

void Filler::Around(std::size_t axis, std::byte* at, std::int64_t value,
                    const Region& region) const {
  if (axis >= region.axes) return;
  const bool here = static_cast<int>(axis) == axis_;
  const std::int64_t low = region.low[axis], high = region.high[axis];
  Slab(axis, at, 0, low, value);
  if (axis + 1 < region.axes) {
    for (std::int64_t i = low; i < high; ++i) {
      Around(axis + 1, at + i * target_.strides[axis] * bytes_, here ? i : value, region);
    }
  }
  Slab(axis, at, high, target_.extent[axis], value);
}

void Filler::Within(std::size_t axis, std::byte* at, std::int64_t value,
                    const Region& region) const {
  const std::int64_t low = region.low[axis], high = region.high[axis];
  if (axis + 1 >= region.axes) return Slab(axis, at, low, high, value);
  const bool here = static_cast<int>(axis) == axis_;
  for (std::int64_t i = low; i < high; ++i) {
    Within(axis + 1, at + i * target_.strides[axis] * bytes_, here ? i : value, region);
  }
}

// Positions `[begin, end)` of an axis, whole; `value` is -1 while it depends on an axis to come.
void Filler::Slab(std::size_t axis, std::byte* at, std::int64_t begin, std::int64_t end,
                  std::int64_t value) const {
  const std::size_t rank = target_.extent.size();
  if (axis == rank) {
    std::memcpy(at, values_.data() + std::clamp<std::int64_t>(value, 0, count_ - 1) * bytes_,
                static_cast<std::size_t>(bytes_));
    return;
  }
  if (begin >= end) return;
  const std::int64_t step = target_.strides[axis] * bytes_;
  const bool innermost = value < 0 && static_cast<std::size_t>(axis_) + 1 == rank &&
                         static_cast<int>(axis) < axis_ && count_ == target_.extent[rank - 1];
  if (axis >= dense_from_ && (value >= 0 || innermost)) {
    std::int64_t total = (end - begin) * bytes_;
    for (std::size_t a = axis + 1; a < rank; ++a) total *= target_.extent[a];
    const std::byte* pattern =
        values_.data() + (innermost ? 0 : std::clamp<std::int64_t>(value, 0, count_ - 1)) * bytes_;
    Repeat(pattern, static_cast<std::size_t>(innermost ? count_ * bytes_ : bytes_),
           at + begin * step, static_cast<std::size_t>(total));
    return;
  }
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t inner = axis + 1 < rank ? target_.extent[axis + 1] : 1;
    Slab(axis + 1, at + i * step, 0, inner, static_cast<int>(axis) == axis_ ? i : value);
  }
}

}  // namespace dynjax
