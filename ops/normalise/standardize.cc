#include "normalise/standardize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "normalise/normalize_rows.h"
#include "normalise/sums.h"

namespace dynjax {
namespace {

// Elements that are worked on at a time, in buffers on the stack.
constexpr std::int64_t kLanes = 768;
// So many squares of bytes fit into 32 bits.
constexpr std::int64_t kRowsBeforeOverflow = 65536;

// A part of the data whose columns have a mean each: `rows` of `columns`, from row to row `stride`
// elements apart.
struct Block {
  const std::byte* in;
  std::byte* out;
  std::int64_t rows, columns, stride;

  // Whether all elements have one mean.
  bool is_line() const { return columns == 1 && stride == 1; }
  // Rows that are worked on as one, in elements.
  std::int64_t part() const {
    if (stride != columns) return columns;
    // Few elements are read sooner than long rows of sums are cleared and added up.
    const std::int64_t lanes = rows * columns < 16 * kLanes ? kLanes / 8 : kLanes;
    return std::min(rows, std::max<std::int64_t>(lanes / columns, 1)) * columns;
  }
};

// Writes the first `count` values again and again, up to `all` of them.
void Repeat(std::size_t count, std::size_t all, float* values) {
  for (std::size_t have = count; have < all; have *= 2) {
    std::copy_n(values, std::min(have, all - have), values + have);
  }
}

struct Moments {
  std::array<double, kLanes> mean, variance;  // of each column
};

class Standardizer {
 public:
  Standardizer(Pixel in_type, Pixel out_type, const Standardization& parameters,
               Target instructions)
      : in_type_(in_type),
        out_type_(out_type),
        parameters_(parameters),
        convert_(ConvertersFor(instructions)),
        sums_(SumsFor(instructions)),
        normalize_(NormalizeRowsFor(instructions)) {}

  // `first`: number of the block's first column among those that have a mean.
  void Run(const Block& block, std::int64_t first) const {
    Moments moments;
    Find(block, first, &moments);
    std::array<float, kLanes> mean, factor;
    const auto n = static_cast<std::size_t>(block.columns);
    const auto lanes = static_cast<std::size_t>(block.part());
    for (std::size_t k = 0; k < n; ++k) {
      const double square = moments.variance[k] + static_cast<double>(parameters_.epsilon);
      mean[k] = static_cast<float>(moments.mean[k]);
      factor[k] =
          square > 0
              ? static_cast<float>(static_cast<double>(parameters_.scale) / std::sqrt(square))
              : 0.0f;
    }
    const std::int64_t step = block.is_line() ? 0 : 1;
    if (step > 0) {
      Repeat(n, lanes, mean.data());
      Repeat(n, lanes, factor.data());
    }
    std::array<float, kLanes> buffer;
    const bool is_float = out_type_ == Pixel::kF32;
    ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
      std::byte* out = block.out + at * static_cast<std::int64_t>(Bytes(out_type_));
      float* values = is_float ? reinterpret_cast<float*>(out) : buffer.data();
      Load(block, at, count, values);
      normalize_.affine(mean.data(), factor.data(), step, parameters_.shift, count, values);
      if (!is_float) convert_.store[static_cast<std::size_t>(out_type_)](values, count, out);
    });
  }

 private:
  // Calls body(offset, count) for parts of the block that each begin with its first column: one
  // row, or several that lie side by side.
  template <typename Body>
  static void ForEachPart(const Block& block, const Body& body) {
    if (block.stride != block.columns) {
      for (std::int64_t r = 0; r < block.rows; ++r) body(r * block.stride, block.columns);
      return;
    }
    const std::int64_t total = block.rows * block.columns, part = block.part();
    for (std::int64_t at = 0; at < total; at += part) body(at, std::min(part, total - at));
  }

  void Load(const Block& block, std::int64_t at, std::int64_t count, float* out) const {
    convert_.load[static_cast<std::size_t>(in_type_)](
        block.in + at * static_cast<std::int64_t>(Bytes(in_type_)), count, out);
  }

  // The elements as they lie, if they are float32; else converted to the buffer.
  const float* Floats(const Block& block, std::int64_t at, std::int64_t count,
                      float* buffer) const {
    if (in_type_ == Pixel::kF32) return reinterpret_cast<const float*>(block.in) + at;
    Load(block, at, count, buffer);
    return buffer;
  }

  static double Given(std::span<const float> values, std::int64_t k) {
    return static_cast<double>(values[values.size() > 1 ? static_cast<std::size_t>(k) : 0]);
  }

  void Find(const Block& block, std::int64_t first, Moments* moments) const {
    const auto columns = static_cast<std::size_t>(block.columns);
    const bool has_mean = !parameters_.mean.empty(), has_spread = !parameters_.deviation.empty();
    for (std::size_t k = 0; k < columns; ++k) {
      const std::int64_t number = first + static_cast<std::int64_t>(k);
      if (has_mean) moments->mean[k] = Given(parameters_.mean, number);
      if (has_spread) {
        const double deviation = Given(parameters_.deviation, number);
        moments->variance[k] = deviation * deviation;
      }
    }
    if (has_mean && has_spread) return;
    if (in_type_ == Pixel::kU8) {
      OfBytes(block, has_mean, has_spread, moments);
    } else if (block.is_line()) {
      OfLine(block, has_mean, has_spread, moments);
    } else {
      OfFloats(block, has_mean, has_spread, moments);
    }
  }

  double Divided(double squares, std::int64_t rows) const {
    const double freedom = static_cast<double>(rows) - static_cast<double>(parameters_.ddof);
    return freedom > 0 ? std::max(squares, 0.0) / freedom : 0.0;
  }

  void OfBytes(const Block& block, bool has_mean, bool has_spread, Moments* moments) const {
    std::array<std::uint32_t, kLanes> sum, squares;
    std::array<std::uint64_t, kLanes> all, all_squares;
    const auto n = static_cast<std::size_t>(block.columns);
    const auto lanes = static_cast<std::size_t>(block.part());
    std::fill_n(sum.begin(), lanes, 0u);
    std::fill_n(squares.begin(), lanes, 0u);
    std::fill_n(all.begin(), n, 0u);
    std::fill_n(all_squares.begin(), n, 0u);
    const auto flush = [&] {
      for (std::size_t i = 0; i < lanes; i += n) {
        for (std::size_t k = 0; k < n; ++k) {
          all[k] += sum[i + k];
          all_squares[k] += squares[i + k];
        }
      }
      std::fill_n(sum.begin(), lanes, 0u);
      std::fill_n(squares.begin(), lanes, 0u);
    };
    std::int64_t added = 0;
    ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
      sums_.add_bytes(reinterpret_cast<const std::uint8_t*>(block.in) + at, count, sum.data(),
                      squares.data());
      if (++added % kRowsBeforeOverflow == 0) flush();
    });
    flush();
    const auto rows = static_cast<double>(block.rows);
    for (std::size_t k = 0; k < n; ++k) {
      // Whole numbers below 2^53, but for a mean that is none: so equal bytes have no spread.
      const auto total = static_cast<double>(all[k]);
      if (!has_mean) moments->mean[k] = total / rows;
      if (has_spread) continue;
      const double mean = moments->mean[k];
      const double about = static_cast<double>(all_squares[k]) - mean * total;
      moments->variance[k] =
          Divided(has_mean ? about - mean * (total - rows * mean) : about, block.rows);
    }
  }

  void OfLine(const Block& block, bool has_mean, bool has_spread, Moments* moments) const {
    std::array<float, kLanes> buffer;
    double sum = 0;
    if (!has_mean) {
      ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
        sum += sums_.total(Floats(block, at, count, buffer.data()), count);
      });
      moments->mean[0] = sum / static_cast<double>(block.rows);
    }
    if (has_spread) return;
    sum = 0;
    const auto mean = static_cast<float>(moments->mean[0]);
    ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
      sum += sums_.total_squares(Floats(block, at, count, buffer.data()), mean, count);
    });
    moments->variance[0] = Divided(sum, block.rows);
  }

  void OfFloats(const Block& block, bool has_mean, bool has_spread, Moments* moments) const {
    std::array<float, kLanes> buffer;
    std::array<double, kLanes> sum;
    const auto n = static_cast<std::size_t>(block.columns);
    const auto lanes = static_cast<std::size_t>(block.part());
    std::fill_n(sum.begin(), lanes, 0.0);
    const auto folded = [&](std::size_t k) {
      // Four sums, since each addition waits for the one before it.
      std::array<double, 4> totals{};
      std::size_t next = 0;
      for (std::size_t i = k; i < lanes; i += n) totals[next++ % 4] += sum[i];
      return (totals[0] + totals[1]) + (totals[2] + totals[3]);
    };
    if (!has_mean) {
      ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
        sums_.add(Floats(block, at, count, buffer.data()), count, sum.data());
      });
      for (std::size_t k = 0; k < n; ++k) {
        moments->mean[k] = folded(k) / static_cast<double>(block.rows);
      }
    }
    if (has_spread) return;
    std::fill_n(sum.begin(), lanes, 0.0);
    std::array<float, kLanes> mean;
    for (std::size_t k = 0; k < n; ++k) mean[k] = static_cast<float>(moments->mean[k]);
    Repeat(n, lanes, mean.data());
    ForEachPart(block, [&](std::int64_t at, std::int64_t count) {
      sums_.add_squares(Floats(block, at, count, buffer.data()), mean.data(), count, sum.data());
    });
    for (std::size_t k = 0; k < n; ++k) moments->variance[k] = Divided(folded(k), block.rows);
  }

  Pixel in_type_, out_type_;
  const Standardization& parameters_;
  const Converters& convert_;
  const Sums& sums_;
  const NormalizeRows& normalize_;
};

}  // namespace

void Standardize(const void* in, Pixel in_type, const Folded& extent,
                 const Standardization& parameters, Pixel out_type, void* out,
                 Target instructions) {
  if (extent.lead == 0 || extent.reduced == 0 || extent.kept == 0) return;
  const Standardizer work(in_type, out_type, parameters, instructions);
  const auto in_bytes = static_cast<std::int64_t>(Bytes(in_type));
  const auto out_bytes = static_cast<std::int64_t>(Bytes(out_type));
  for (std::int64_t l = 0; l < extent.lead; ++l) {
    for (std::int64_t k = 0; k < extent.kept; k += kLanes) {
      const std::int64_t at = l * extent.reduced * extent.kept + k;
      work.Run({static_cast<const std::byte*>(in) + at * in_bytes,
                static_cast<std::byte*>(out) + at * out_bytes, extent.reduced,
                std::min(kLanes, extent.kept - k), extent.kept},
               l * extent.kept + k);
    }
  }
}

}  // namespace dynjax
