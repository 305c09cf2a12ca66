#include "colour/equalize.h"

#include <cmath>
#include <cstddef>

namespace dynjax {
namespace {

// Equal bytes in a row would wait for each other's counts: neighbours count apart.
template <std::int64_t kChannels>
void CountInterleaved(const std::uint8_t* in, std::int64_t n, Histogram* histograms) {
  static constexpr std::int64_t kWays = kChannels == 1 ? 4 : 2;
  Histogram counts[kWays * kChannels] = {};
  std::int64_t i = 0;
  for (; i + kWays <= n; i += kWays) {
    for (std::int64_t k = 0; k < kWays * kChannels; ++k) ++counts[k][in[i * kChannels + k]];
  }
  for (; i < n; ++i) {
    for (std::int64_t c = 0; c < kChannels; ++c) ++counts[c][in[i * kChannels + c]];
  }
  for (std::int64_t k = 0; k < kWays * kChannels; ++k) {
    for (std::size_t v = 0; v < 256; ++v) histograms[k % kChannels][v] += counts[k][v];
  }
}

template <std::int64_t kChannels>
void MapInterleaved(const std::uint8_t* in, std::int64_t n, const ByteTable* tables,
                    std::uint8_t* out) {
  for (std::int64_t i = 0; i < n * kChannels; i += kChannels) {
    for (std::int64_t c = 0; c < kChannels; ++c) out[i + c] = tables[c][in[i + c]];
  }
}

}  // namespace

void CountBytes(const std::uint8_t* in, std::int64_t n, std::int64_t channels,
                Histogram* histograms) {
  if (channels == 1) return CountInterleaved<1>(in, n, histograms);
  if (channels == 3) return CountInterleaved<3>(in, n, histograms);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < channels; ++c) ++histograms[c][in[i * channels + c]];
  }
}

ByteTable EqualizingTable(const Histogram& histogram) {
  ByteTable table{};
  std::uint32_t total = 0;
  for (const auto count : histogram) total += count;
  std::size_t first = 0;
  while (first < 255 && histogram[first] == 0) ++first;
  if (histogram[first] == total) {
    for (std::size_t v = 0; v < 256; ++v) table[v] = static_cast<std::uint8_t>(v);
    return table;
  }
  const float scale = 255.0f / static_cast<float>(total - histogram[first]);
  std::uint32_t above = 0;
  for (std::size_t v = first + 1; v < 256; ++v) {
    above += histogram[v];
    table[v] = static_cast<std::uint8_t>(std::nearbyint(static_cast<float>(above) * scale));
  }
  return table;
}

void MapBytes(const std::uint8_t* in, std::int64_t n, std::int64_t channels,
              const ByteTable* tables, std::uint8_t* out) {
  if (channels == 1) return MapInterleaved<1>(in, n, tables, out);
  if (channels == 3) return MapInterleaved<3>(in, n, tables, out);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < channels; ++c) {
      out[i * channels + c] = tables[c][in[i * channels + c]];
    }
  }
}

}  // namespace dynjax
