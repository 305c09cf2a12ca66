// Histogram equalisation of bytes.
#pragma once

#include <array>
#include <cstdint>

namespace dynjax {

using Histogram = std::array<std::uint32_t, 256>;
using ByteTable = std::array<std::uint8_t, 256>;

// Adds `n` pixels of `channels` interleaved bytes to the histograms of the channels.
void CountBytes(const std::uint8_t* in, std::int64_t n, std::int64_t channels,
                Histogram* histograms);

// rint(255 * (cdf(v) - cdf_min) / (pixels - cdf_min)); v itself where all pixels are equal.
ByteTable EqualizingTable(const Histogram& histogram);

// Each byte by the table of its channel.
void MapBytes(const std::uint8_t* in, std::int64_t n, std::int64_t channels,
              const ByteTable* tables, std::uint8_t* out);

}  // namespace dynjax
