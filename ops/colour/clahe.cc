#include "colour/clahe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "colour/equalize.h"
#include "filters/border.h"

namespace dynjax {
namespace {

// What exceeds the limit is spread over all values, the rest of it in equal steps.
void Clip(Histogram& histogram, std::uint32_t limit) {
  std::uint32_t excess = 0;
  for (auto& count : histogram) {
    if (count > limit) {
      excess += count - limit;
      count = limit;
    }
  }
  const std::uint32_t share = excess / 256, rest = excess % 256;
  for (auto& count : histogram) count += share;
  if (rest == 0) return;
  const std::size_t step = std::max<std::size_t>(256 / rest, 1);
  for (std::size_t v = 0, left = rest; v < 256 && left > 0; v += step, --left) ++histogram[v];
}

// Adding and taking away 1.5 * 2^23 rounds to nearest, ties to even.
float ToNearest(float x) { return (x + 12582912.0f) - 12582912.0f; }

// For each pixel of an axis the gap between two tiles in which it lies (0: before the first), and
// the weight of the tile behind it.
struct Neighbours {
  std::vector<std::int32_t> gap;
  std::vector<float> weight;  // with room for a group more

  Neighbours(std::int64_t size, std::int64_t tile, std::int32_t tiles) {
    const float step = 1.0f / static_cast<float>(tile);
    for (std::int64_t i = 0; i < size; ++i) {
      // Product and difference apart, as in the original: no fused operation.
      volatile float scaled = static_cast<float>(i) * step;
      const float position = scaled - 0.5f, whole = std::floor(position);
      gap.push_back(std::clamp(static_cast<std::int32_t>(whole) + 1, 0, tiles));
      weight.push_back(position - whole);
    }
    weight.resize(weight.size() + 8);
  }
};

// A row of pixels side by side, continued beyond the border.
class WideRow {
 public:
  WideRow(const BytePlane& in, std::int64_t width)
      : in_(in), bytes_(static_cast<std::size_t>(width)) {
    for (std::int64_t x = in.width; x < width; ++x) {
      beyond_.push_back(BorderIndex(x, in.width, Border::kReflect101));
    }
  }

  const std::uint8_t* Read(std::int64_t y) {
    const std::uint8_t* row = in_.data + BorderIndex(y, in_.height, Border::kReflect101) * in_.row;
    if (in_.pixel == 1 && beyond_.empty()) return row;
    for (std::int64_t x = 0; x < in_.width; ++x) {
      bytes_[static_cast<std::size_t>(x)] = row[x * in_.pixel];
    }
    for (std::size_t k = 0; k < beyond_.size(); ++k) {
      bytes_[static_cast<std::size_t>(in_.width) + k] = row[beyond_[k] * in_.pixel];
    }
    return bytes_.data();
  }

 private:
  const BytePlane& in_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int64_t> beyond_;
};

std::vector<ByteTable> TileTables(const BytePlane& in, const Tiles& tiles, std::int64_t tile_h,
                                  std::int64_t tile_w) {
  const std::int64_t area = tile_h * tile_w;
  const float scale = 255.0f / static_cast<float>(area);
  const double given = static_cast<double>(tiles.clip_limit) * static_cast<double>(area) / 256;
  // In this order a limit that is no number becomes one, which can be converted.
  const auto limit = static_cast<std::uint32_t>(std::max(1.0, std::min(4e9, given)));
  WideRow wide(in, tile_w * tiles.across);
  std::vector<ByteTable> tables;
  // Equal neighbours would wait for each other's counts: they count apart.
  std::vector<std::array<Histogram, 2>> counts;
  for (std::int32_t j = 0; j < tiles.down; ++j) {
    counts.assign(static_cast<std::size_t>(tiles.across), {});
    for (std::int64_t y = j * tile_h; y < (j + 1) * tile_h; ++y) {
      const std::uint8_t* row = wide.Read(y);
      for (auto& own : counts) {
        std::int64_t x = 0;
        for (; x + 2 <= tile_w; x += 2) {
          ++own[0][row[x]];
          ++own[1][row[x + 1]];
        }
        if (x < tile_w) ++own[0][row[x]];
        row += tile_w;
      }
    }
    for (auto& own : counts) {
      Histogram& histogram = own[0];
      for (std::size_t v = 0; v < 256; ++v) histogram[v] += own[1][v];
      if (tiles.clip_limit > 0) Clip(histogram, limit);
      ByteTable table;
      std::uint32_t sum = 0;
      for (std::size_t v = 0; v < 256; ++v) {
        sum += histogram[v];
        const float value = std::min(static_cast<float>(sum) * scale, 255.0f);
        table[v] = static_cast<std::uint8_t>(ToNearest(value));
      }
      tables.push_back(table);
    }
  }
  return tables;
}

// The four tables between which a pixel is blended, byte beside byte: one look-up for all.
using Corners = std::array<std::array<std::uint8_t, 4>, 256>;

// For one pair of rows of tiles, the corners of each gap between their columns and of both ends.
void JoinCorners(const ByteTable* upper, const ByteTable* lower, std::int32_t across,
                 std::vector<Corners>& corners) {
  for (std::int32_t gap = 0; gap <= across; ++gap) {
    const auto a = static_cast<std::size_t>(std::max(gap - 1, 0));
    const auto b = static_cast<std::size_t>(std::min(gap, across - 1));
    for (std::size_t v = 0; v < 256; ++v) {
      corners[static_cast<std::size_t>(gap)][v] = {upper[a][v], upper[b][v], lower[a][v],
                                                   lower[b][v]};
    }
  }
}

}  // namespace

void EqualizeTiles(const BytePlane& in, const Tiles& tiles, const BytePlane& out) {
  if (in.height == 0 || in.width == 0) return;
  // Where a side is no multiple of its tiles, both are continued beyond the border.
  std::int64_t height = in.height, width = in.width;
  if (height % tiles.down != 0 || width % tiles.across != 0) {
    height += tiles.down - height % tiles.down;
    width += tiles.across - width % tiles.across;
  }
  const std::int64_t tile_h = height / tiles.down, tile_w = width / tiles.across;
  const auto tables = TileTables(in, tiles, tile_h, tile_w);
  const Neighbours rows(in.height, tile_h, tiles.down), columns(in.width, tile_w, tiles.across);
  std::vector<Corners> corners(static_cast<std::size_t>(tiles.across + 1));
  // Eight pixels at a time, so that the sums become vectors.
  constexpr std::int64_t kGroup = 8;
  const auto width_of = [&](std::int64_t x) { return std::min(kGroup, in.width - x); };
  std::int32_t joined = -1;
  for (std::int64_t y = 0; y < in.height; ++y) {
    const auto k = static_cast<std::size_t>(y);
    if (rows.gap[k] != joined) {
      joined = rows.gap[k];
      JoinCorners(
          &tables[static_cast<std::size_t>(std::max(joined - 1, 0) * tiles.across)],
          &tables[static_cast<std::size_t>(std::min(joined, tiles.down - 1) * tiles.across)],
          tiles.across, corners);
    }
    const float below = rows.weight[k], above = 1.0f - below;
    const std::uint8_t* from = in.data + y * in.row;
    std::uint8_t* to = out.data + y * out.row;
    for (std::int64_t x = 0; x < in.width; x += kGroup) {
      const std::int64_t n = width_of(x);
      std::array<std::uint32_t, kGroup> found{};
      for (std::int64_t i = 0; i < n; ++i) {
        const auto gap = static_cast<std::size_t>(columns.gap[static_cast<std::size_t>(x + i)]);
        std::memcpy(&found[static_cast<std::size_t>(i)], &corners[gap][from[(x + i) * in.pixel]],
                    4);
      }
      std::array<std::int32_t, kGroup> blended;
      const float* weight = columns.weight.data() + x;
      for (std::size_t i = 0; i < kGroup; ++i) {
        const float right = weight[i], left = 1.0f - right;
        const auto corner = [&](int byte) {
          return static_cast<float>(static_cast<std::int32_t>((found[i] >> (8 * byte)) & 255u));
        };
        const float value = (corner(0) * left + corner(1) * right) * above +
                            (corner(2) * left + corner(3) * right) * below;
        blended[i] = static_cast<std::int32_t>(ToNearest(value));
      }
      for (std::int64_t i = 0; i < n; ++i) {
        to[(x + i) * out.pixel] = static_cast<std::uint8_t>(blended[static_cast<std::size_t>(i)]);
      }
    }
  }
}

}  // namespace dynjax
