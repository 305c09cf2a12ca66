#include "movement/parts.h"

#include <algorithm>
#include <vector>

#include "base/pool.h"

namespace dynjax {
namespace {

// The longest axis: dividing it leaves the most even parts.
std::size_t Longest(const Sample& sample) {
  const auto& extent = sample.extent;
  return static_cast<std::size_t>(std::max_element(extent.begin(), extent.end()) - extent.begin());
}

Part Whole(const Samples& samples, std::int64_t i) {
  const Sample& sample = samples[i];
  if (sample.extent.empty()) return {i, 0, 0, 1};
  const std::size_t axis = Longest(sample);
  return {i, axis, 0, sample.extent[axis]};
}

}  // namespace

void ForEachPart(const Samples& samples, std::int64_t bytes,
                 const std::function<void(const Part&)>& body) {
  const std::int64_t count = samples.size();
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < count; ++i) total += samples[i].volume();
  // Even one sample can be divided.
  if (RunsSerially(std::max<std::int64_t>(count, 2), bytes * total)) {
    for (std::int64_t i = 0; i < count; ++i) body(Whole(samples, i));
    return;
  }
  constexpr std::int64_t kSmallestPart = 64 << 10;  // bytes
  const std::int64_t wanted =
      std::max<std::int64_t>(total / (4 * NumThreads()), kSmallestPart / bytes + 1);
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return samples[a].volume() > samples[b].volume();
  });
  std::vector<Part> parts;
  parts.reserve(order.size());
  for (const auto i : order) {
    const Part whole = Whole(samples, i);
    const std::int64_t pieces = std::clamp<std::int64_t>(samples[i].volume() / wanted, 1,
                                                         std::max<std::int64_t>(whole.end, 1));
    for (std::int64_t k = 0; k < pieces; ++k) {
      parts.push_back({i, whole.axis, whole.end * k / pieces, whole.end * (k + 1) / pieces});
    }
  }
  ParallelFor(static_cast<std::int64_t>(parts.size()),
              [&](std::int64_t k) { body(parts[static_cast<std::size_t>(k)]); });
}

}  // namespace dynjax
