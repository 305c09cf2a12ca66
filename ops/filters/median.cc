#include "filters/median.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "filters/median_counts.h"
#include "filters/median_network.h"
#include "filters/median_network_avx2.h"
#include "filters/median_ranks.h"
#include "filters/order_keys.h"
#include "filters/wide_row.h"

namespace dynjax {
namespace {

constexpr std::int64_t kSlack = 32;  // a vector more, of any element

template <typename Key, int K>
void MedianBySorting(const PlaneView& in, std::byte* out, std::int64_t out_step,
                     Target instructions) {
  auto row_median = MedianRow<Key, K>;
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) row_median = Avx2MedianRow<Key, K>;
#endif
  (void)instructions;
  const std::int64_t size = in.width * in.inner, wide_size = size + (K - 1) * in.inner;
  const WideRow widen(in.width, in.inner, -(K / 2), in.width + K - 1, Border::kClamp);
  const std::int64_t stride = wide_size + kSlack;
  // Row y in slot y modulo K.
  std::vector<Key> rows(static_cast<std::size_t>(K * stride)), sorted(rows.size());
  std::vector<Key> line(static_cast<std::size_t>(stride)), result(line.size());
  const auto slot = [&](std::int64_t y) { return rows.data() + (y + K) % K * stride; };
  const auto load = [&](std::int64_t y) {
    const std::byte* row = in.Row(std::clamp<std::int64_t>(y, 0, in.height - 1));
    if (!AreKeys(in.type)) ToKeys(row, in.type, size, NanPlace::kLast, line.data());
    widen.Copy(AreKeys(in.type) ? reinterpret_cast<const Key*>(row) : line.data(), Key{}, slot(y));
  };
  for (std::int64_t y = -(K / 2); y < K / 2; ++y) load(y);
  for (std::int64_t y = 0; y < in.height; ++y) {
    load(y + K / 2);
    const Key* window[K];
    for (int i = 0; i < K; ++i) window[i] = slot(y + i - K / 2);
    row_median(window, size, in.inner, sorted.data(), stride, result.data());
    FromKeys(result.data(), in.type, size,
             out + static_cast<std::size_t>(y * out_step) * Bytes(in.type));
  }
}

// Networks do not tell which of two equal elements comes first: of floats, 0 and -0 are equal.
bool HasNegativeZero(const PlaneView& in) {
  if (in.type != Pixel::kF32) return false;
  for (std::int64_t y = 0; y < in.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(in.Row(y));
    std::uint32_t found = 0;
    for (std::int64_t x = 0; x < in.width * in.inner; ++x) {
      found |= row[x] == 0x80000000u ? 1u : 0u;
    }
    if (found != 0) return true;
  }
  return false;
}

template <typename Key>
bool SortsWindow(const PlaneView& in, const MedianWindow& window, std::byte* out,
                 std::int64_t out_step, Target instructions) {
  if (window.IsMiddle(3)) {
    MedianBySorting<Key, 3>(in, out, out_step, instructions);
  } else if (window.IsMiddle(5)) {
    MedianBySorting<Key, 5>(in, out, out_step, instructions);
  } else if (window.IsMiddle(7)) {
    MedianBySorting<Key, 7>(in, out, out_step, instructions);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void Median(const PlaneView& in, const MedianWindow& window, void* out, std::int64_t out_step,
            Target instructions) {
  if (in.height == 0 || in.width == 0 || in.inner == 0) return;
  auto* target = static_cast<std::byte*>(out);
  switch (Bytes(in.type)) {
    case 1:
      if (SortsWindow<std::uint8_t>(in, window, target, out_step, instructions)) return;
      if (CountsFit(window)) return MedianByCounting(in, window, target, out_step, instructions);
      return MedianByRanks<std::uint8_t>(in, window, target, out_step);
    case 2:
      if (SortsWindow<std::int16_t>(in, window, target, out_step, instructions)) return;
      return MedianByRanks<std::int16_t>(in, window, target, out_step);
    default:
      if (!HasNegativeZero(in) &&
          SortsWindow<std::int32_t>(in, window, target, out_step, instructions)) {
        return;
      }
      return MedianByRanks<std::int32_t>(in, window, target, out_step);
  }
}

}  // namespace dynjax
