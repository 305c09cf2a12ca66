#include "movement/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "movement/convert.h"
#include "movement/fill.h"
#include "movement/items.h"

namespace dynjax {
namespace {

// One axis of what is copied; steps in bytes.
struct Loop {
  std::int64_t count, in, out;
};

// The output positions of an axis that lie inside the source: [low, high).
struct Range {
  std::int64_t low, high;
};

// Rounded towards minus infinity; `b` is positive.
std::int64_t FloorDivide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

Range Inside(std::int64_t extent, std::int64_t anchor, std::int64_t step, std::int64_t count) {
  if (extent <= 0) return {0, 0};
  Range range{0, count};
  if (step == 0) {
    if (anchor < 0 || anchor >= extent) return {0, 0};
  } else if (step > 0) {
    range = {-FloorDivide(anchor, step), FloorDivide(extent - 1 - anchor, step) + 1};
  } else {
    range = {-FloorDivide(extent - 1 - anchor, -step), FloorDivide(anchor, -step) + 1};
  }
  range.low = std::clamp<std::int64_t>(range.low, 0, count);
  range.high = std::clamp<std::int64_t>(range.high, 0, count);
  return range.high > range.low ? range : Range{0, 0};
}

class Copying {
 public:
  Copying(Element from, Element to, Target target)
      : from_bytes_(static_cast<std::int64_t>(Bytes(from))),
        to_bytes_(static_cast<std::int64_t>(Bytes(to))),
        converts_(from != to),
        convert_(ConverterFor(from, to, target)),
        target_(target),
        item_(Bytes(to)) {}

  void Add(std::int64_t count, std::int64_t in, std::int64_t out) {
    if (count == 1) return;
    if (size_ > 0) {
      Loop& outer = loops_[size_ - 1];
      if (outer.in == in * count && outer.out == out * count) {
        outer = {outer.count * count, in, out};
        return;
      }
    }
    loops_[size_++] = {count, in, out};
  }

  void Run(const std::byte* in, std::byte* out) {
    if (converts_) return RunLoops(0, size_, in, out);
    const auto item = static_cast<std::int64_t>(item_);
    if (size_ > 0 && loops_[size_ - 1].in == item && loops_[size_ - 1].out == item) {
      item_ *= static_cast<std::size_t>(loops_[--size_].count);
    }
    const std::size_t crossing = Crossing();
    if (crossing < size_) {
      // The axis along which the source is dense moves next to the last one.
      crossed_ = true;
      std::rotate(loops_.begin() + crossing, loops_.begin() + crossing + 1,
                  loops_.begin() + size_ - 1);
    }
    RunLoops(0, size_, in, out);
  }

 private:
  // The loop that reads closer together than the last one, if items are small; else none.
  std::size_t Crossing() const {
    constexpr std::size_t kLargeItem = 64;
    if (size_ < 2 || item_ > kLargeItem) return size_;
    std::size_t best = size_ - 1;
    for (std::size_t a = 0; a + 1 < size_; ++a) {
      if (std::abs(loops_[a].in) < std::abs(loops_[best].in)) best = a;
    }
    return best == size_ - 1 ? size_ : best;
  }

  void RunLoops(std::size_t axis, std::size_t end, const std::byte* in, std::byte* out) {
    if (axis == end) {
      Item(in, out);
      return;
    }
    const Loop& loop = loops_[axis];
    if (axis + 1 == end) return Row(loop, in, out);
    if (axis + 2 == end && crossed_) {
      const Loop& last = loops_[axis + 1];
      CopyItemBlocks(in, out, {loop.count, loop.in, loop.out}, {last.count, last.in, last.out},
                     item_, target_);
      return;
    }
    for (std::int64_t i = 0; i < loop.count; ++i) {
      RunLoops(axis + 1, end, in + i * loop.in, out + i * loop.out);
    }
  }

  void Item(const std::byte* in, std::byte* out) const {
    if (converts_) {
      convert_(in, 1, out);
    } else {
      std::memcpy(out, in, item_);
    }
  }

  void Row(const Loop& loop, const std::byte* in, std::byte* out) const {
    if (!converts_) return CopyItems(in, out, {loop.count, loop.in, loop.out}, item_, target_);
    if (loop.in == from_bytes_ && loop.out == to_bytes_) return convert_(in, loop.count, out);
    constexpr std::int64_t kChunk = 512;  // elements
    alignas(32) std::array<std::byte, kChunk * 8> gathered, converted;
    for (std::int64_t i = 0; i < loop.count; i += kChunk) {
      const std::int64_t n = std::min(kChunk, loop.count - i);
      CopyItems(in + i * loop.in, gathered.data(), {n, loop.in, from_bytes_},
                static_cast<std::size_t>(from_bytes_), target_);
      std::byte* to = out + i * loop.out;
      if (loop.out == to_bytes_) {
        convert_(gathered.data(), n, to);
      } else {
        convert_(gathered.data(), n, converted.data());
        CopyItems(converted.data(), to, {n, to_bytes_, loop.out},
                  static_cast<std::size_t>(to_bytes_), target_);
      }
    }
  }

  const std::int64_t from_bytes_, to_bytes_;
  const bool converts_;
  const ConvertRow convert_;
  const Target target_;
  std::size_t item_;  // bytes that move together
  bool crossed_ = false;
  std::array<Loop, kMaxViewRank> loops_{};
  std::size_t size_ = 0;
};

constexpr std::array<int, kMaxViewRank> kSameAxes{0, 1, 2, 3, 4, 5, 6, 7};
constexpr std::array<std::int64_t, kMaxViewRank> kZeros{};
constexpr std::array<std::int64_t, kMaxViewRank> kOnes{1, 1, 1, 1, 1, 1, 1, 1};

}  // namespace

CopyWindow WholeWindow(std::size_t rank) {
  return {.perm = {kSameAxes.data(), rank}, .anchor = kZeros, .step = kOnes, .fill = {}};
}

void StridedCopy(const ArrayView& source, const ArrayView& target, const CopyWindow& window,
                 Target instructions) {
  const std::size_t rank = target.extent.size();
  std::array<std::int64_t, kMaxViewRank> low{}, high{};
  std::array<bool, kMaxViewRank> kept{};
  bool complete = true, empty = false;
  for (std::size_t a = 0; a < rank; ++a) {
    const auto axis = static_cast<std::size_t>(window.perm[a]);
    kept[axis] = true;
    const std::int64_t count = target.extent[a];
    if (count == 0) return;
    const Range range = Inside(source.extent[axis], window.anchor[axis], window.step[axis], count);
    low[a] = range.low;
    high[a] = range.high;
    complete = complete && range.low == 0 && range.high == count;
    empty = empty || range.low >= range.high;
  }
  const auto from_bytes = static_cast<std::int64_t>(Bytes(source.type));
  const auto to_bytes = static_cast<std::int64_t>(Bytes(target.type));
  std::int64_t in = 0, out = 0;
  for (std::size_t axis = 0; axis < source.extent.size(); ++axis) {
    if (kept[axis]) continue;
    const std::int64_t at = window.anchor[axis];
    empty = empty || at < 0 || at >= source.extent[axis];
    in += at * source.strides[axis] * from_bytes;
  }
  if (empty) high.fill(0), low.fill(0);
  if (empty || !complete) {
    Filler(target, window.fill, window.fill_axis, instructions)
        .Outside({low.data(), rank}, {high.data(), rank});
  }
  if (empty) return;
  Copying copying(source.type, target.type, instructions);
  for (std::size_t a = 0; a < rank; ++a) {
    const auto axis = static_cast<std::size_t>(window.perm[a]);
    const std::int64_t in_step = source.strides[axis] * from_bytes;
    const std::int64_t out_step = target.strides[a] * to_bytes;
    in += (window.anchor[axis] + window.step[axis] * low[a]) * in_step;
    out += low[a] * out_step;
    copying.Add(high[a] - low[a], window.step[axis] * in_step, out_step);
  }
  copying.Run(source.data + in, target.data + out);
}

}  // namespace dynjax
