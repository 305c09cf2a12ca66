#include "filters/extremes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "filters/extreme_rows.h"
#include "filters/extremes_avx2.h"
#include "filters/order_keys.h"
#include "filters/wide_row.h"

namespace dynjax {
namespace {

// What the window of pixel p covers along an axis: p + first to p + first + count - 1.
struct Reach {
  std::int64_t first, count;
};

bool IsPlain(Border border) { return border == Border::kClamp || border == Border::kConstant; }

// The same pixels in few steps, however long the window.
Reach Shortened(Reach reach, std::int64_t extent, Border border) {
  std::int64_t first = reach.first, last = reach.first + reach.count - 1;
  if (IsPlain(border)) {
    first = std::clamp(first, -extent, extent);
    last = std::clamp(last, -extent, extent);
  } else if (reach.count > 4 * extent) {  // two periods: all there is
    first = -2 * extent;
    last = 2 * extent;
  }
  return {first, last - first + 1};
}

template <typename Key>
using Pick = void (*)(const Key* a, const Key* b, std::int64_t n, Key* out);

template <typename Key>
Pick<Key> PickFor(bool largest, Target instructions) {
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) {
    return largest ? Avx2PickRow<Key, true> : Avx2PickRow<Key, false>;
  }
#endif
  (void)instructions;
  return largest ? PickRow<Key, true> : PickRow<Key, false>;
}

// The key that never is the extreme.
template <typename Key>
Key Neutral(Pixel type, bool largest, NanPlace nans) {
  if (type == Pixel::kF32) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float value = largest ? -kInfinity : kInfinity;
    Key key;
    ToKeys(&value, type, 1, nans, &key);
    return key;
  }
  return largest ? std::numeric_limits<Key>::min() : std::numeric_limits<Key>::max();
}

// Rows first: those of a block as long as the window, each joined to all behind it, and the rows of
// the next block, joined one by one, meet in each window. Then along the row: the extremes of
// windows of 1, 2, 4, ... pixels, two of which cover the whole window.
template <typename Key>
class ExtremesPass {
 public:
  ExtremesPass(const PlaneView& shape, const ExtremesWindow& window, Target instructions)
      : pick_(PickFor<Key>(window.largest, instructions)),
        nans_(window.largest ? NanPlace::kLast : NanPlace::kFirst),
        neutral_(Neutral<Key>(shape.type, window.largest, nans_)),
        border_(window.border),
        down_(Shortened({-window.anchor_y, window.rows}, shape.height, window.border)),
        across_(Shortened({-window.anchor_x, window.columns}, shape.width, window.border)),
        wide_(shape.width, shape.inner, across_.first, shape.width + across_.count - 1,
              window.border),
        size_(shape.width * shape.inner) {
    std::int64_t span = 1;
    for (; 2 * span <= across_.count; span *= 2) shifts_.push_back(span * shape.inner);
    if (span < across_.count) shifts_.push_back((across_.count - span) * shape.inner);
    const auto row = static_cast<std::size_t>(size_);
    blocks_.resize(static_cast<std::size_t>(down_.count) * row);
    for (auto* buffer : {&line_, &joined_, &next_, &row_, &result_}) buffer->resize(row);
    outside_.assign(row, neutral_);
    const auto wide = row + static_cast<std::size_t>((across_.count - 1) * shape.inner);
    for (auto& buffer : pair_) buffer.resize(wide);
  }

  void Run(const PlaneView& in, std::byte* out, std::int64_t out_step) {
    const std::int64_t count = down_.count;
    for (std::int64_t y = 0; y < in.height; y += count) {
      const std::int64_t first = y + down_.first, rows = std::min(count, in.height - y);
      const auto emit = [&](const Key* row, std::int64_t k) {
        Emit(in, row, out + static_cast<std::size_t>((y + k) * out_step) * Bytes(in.type));
      };
      std::copy_n(Load(in, first + count - 1), size_, Block(count - 1));
      for (std::int64_t k = count - 1; k-- > 0;) {
        pick_(Load(in, first + k), Block(k + 1), size_, Block(k));
      }
      emit(Block(0), 0);
      for (std::int64_t k = 1; k < rows; ++k) {
        const Key* row = Load(in, first + count + k - 1);
        if (k == 1) {
          std::copy_n(row, size_, joined_.data());
        } else {
          pick_(joined_.data(), row, size_, next_.data());
          std::swap(joined_, next_);
        }
        pick_(Block(k), joined_.data(), size_, row_.data());
        emit(row_.data(), k);
      }
    }
  }

 private:
  Key* Block(std::int64_t k) { return blocks_.data() + k * size_; }

  // Row `y`, inside the plane or not; valid until the next one.
  const Key* Load(const PlaneView& in, std::int64_t y) {
    const std::int64_t source = BorderIndex(y, in.height, border_);
    if (source < 0) return outside_.data();
    if (AreKeys(in.type)) return reinterpret_cast<const Key*>(in.Row(source));
    ToKeys(in.Row(source), in.type, size_, nans_, line_.data());
    return line_.data();
  }

  void Emit(const PlaneView& in, const Key* row, std::byte* out) {
    Key* result = AreKeys(in.type) ? reinterpret_cast<Key*>(out) : result_.data();
    if (across_.count == 1 && across_.first == 0) {
      std::copy_n(row, size_, result);
    } else {
      wide_.Copy(row, neutral_, pair_[0].data());
      auto n = static_cast<std::int64_t>(pair_[0].size());
      std::size_t own = 0;
      for (std::size_t k = 0; k < shifts_.size(); ++k, own = 1 - own) {
        n -= shifts_[k];
        const Key* from = pair_[own].data();
        pick_(from, from + shifts_[k], n, k + 1 < shifts_.size() ? pair_[1 - own].data() : result);
      }
      if (shifts_.empty()) std::copy_n(pair_[0].data(), size_, result);
    }
    if (!AreKeys(in.type)) FromKeys(result, in.type, size_, out);
  }

  Pick<Key> pick_;
  NanPlace nans_;
  Key neutral_;
  Border border_;
  Reach down_, across_;
  WideRow wide_;
  std::int64_t size_;                 // elements of a row
  std::vector<std::int64_t> shifts_;  // between the windows that become one, in elements
  std::vector<Key> blocks_, line_, joined_, next_, row_, result_, outside_;
  std::array<std::vector<Key>, 2> pair_;
};

void Copy(const PlaneView& in, std::byte* out, std::int64_t out_step) {
  const std::size_t bytes = Bytes(in.type);
  for (std::int64_t y = 0; y < in.height; ++y) {
    std::copy_n(in.Row(y), static_cast<std::size_t>(in.width * in.inner) * bytes,
                out + static_cast<std::size_t>(y * out_step) * bytes);
  }
}

template <typename Key>
void Repeat(const PlaneView& in, const ExtremesWindow& window, std::int64_t iterations,
            std::byte* out, std::int64_t out_step, Target instructions) {
  ExtremesPass<Key> pass(in, window, instructions);
  const std::int64_t row = in.width * in.inner;
  std::vector<std::byte> between;
  if (iterations > 1) between.resize(static_cast<std::size_t>(in.height * row) * Bytes(in.type));
  PlaneView from = in;
  for (std::int64_t left = iterations; left-- > 0;) {
    // The last pass, and so every second one before it, writes the result.
    std::byte* to = left % 2 == 0 ? out : between.data();
    const std::int64_t step = left % 2 == 0 ? out_step : row;
    pass.Run(from, to, step);
    from.data = to;
    from.step = step;
  }
}

}  // namespace

void Extremes(const PlaneView& in, const ExtremesWindow& window, std::int64_t iterations, void* out,
              std::int64_t out_step, Target instructions) {
  if (in.height == 0 || in.width == 0 || in.inner == 0) return;
  auto* target = static_cast<std::byte*>(out);
  if (iterations < 1) return Copy(in, target, out_step);
  ExtremesWindow whole = window;
  const auto holds = [](std::int64_t anchor, std::int64_t size) {
    return anchor >= 0 && anchor < size;
  };
  if (window.rows < 1 || window.columns < 1) {
    // Beside the plane, on what never is the extreme.
    whole = {.rows = 1, .columns = 1, .anchor_y = in.height, .largest = window.largest};
    iterations = 1;
  } else if (IsPlain(window.border) && holds(window.anchor_y, window.rows) &&
             holds(window.anchor_x, window.columns)) {
    // What the border repeats lies under the window too, so that passes add up to one.
    whole.anchor_y *= iterations;
    whole.anchor_x *= iterations;
    whole.rows = (window.rows - 1) * iterations + 1;
    whole.columns = (window.columns - 1) * iterations + 1;
    iterations = 1;
  }
  switch (in.type) {
    case Pixel::kU8:
      return Repeat<std::uint8_t>(in, whole, iterations, target, out_step, instructions);
    case Pixel::kU16:
      return Repeat<std::int16_t>(in, whole, iterations, target, out_step, instructions);
    case Pixel::kF32:
      return Repeat<std::int32_t>(in, whole, iterations, target, out_step, instructions);
    default:
      break;
  }
}

}  // namespace dynjax
