#include "colour/color_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "colour/color_matrix_avx2.h"

namespace dynjax {
namespace {

constexpr std::int64_t kChunk = 256;  // pixels

void Multiply(const float* in, std::int64_t n, const ColorMatrix& matrix, float* out) {
  for (std::int64_t i = 0; i < n; ++i, in += matrix.inputs, out += matrix.outputs) {
    const float* row = matrix.rows;
    for (int o = 0; o < matrix.outputs; ++o, row += matrix.inputs + 1) {
      float sum = row[matrix.inputs];
      for (int c = 0; c < matrix.inputs; ++c) sum = __builtin_fmaf(in[c], row[c], sum);
      out[o] = sum;
    }
  }
}

// Whether the matrix only changes the order of three channels, and then which.
bool IsOrder(const ColorMatrix& matrix, int* order) {
  if (matrix.inputs != 3 || matrix.outputs != 3) return false;
  for (int o = 0; o < 3; ++o) {
    const float* row = matrix.rows + 4 * o;
    int ones = 0;
    for (int c = 0; c < 3; ++c) {
      if (row[c] == 1.0f) {
        order[o] = c;
        ++ones;
      } else if (row[c] != 0.0f) {
        return false;
      }
    }
    if (ones != 1 || row[3] != 0.0f) return false;
  }
  return true;
}

}  // namespace

void ApplyColorMatrix(const void* in, Pixel in_type, std::int64_t n, const ColorMatrix& matrix,
                      Pixel out_type, void* out, Target instructions) {
  std::int64_t i = 0;
#if defined(__x86_64__)
  if (instructions == Target::kAvx2 && in_type == Pixel::kU8 && out_type == Pixel::kU8 &&
      matrix.inputs == 3 && (matrix.outputs == 1 || matrix.outputs == 3)) {
    const auto* bytes = static_cast<const std::uint8_t*>(in);
    auto* result = static_cast<std::uint8_t*>(out);
    int order[3];
    i = IsOrder(matrix, order) ? Avx2ReorderBytes(bytes, n, order, result)
                               : Avx2MatrixOfBytes(bytes, n, matrix.rows, matrix.outputs, result);
  }
#endif
  const Converters& convert = ConvertersFor(instructions);
  const auto load = convert.load[static_cast<std::size_t>(in_type)];
  const auto store = convert.store[static_cast<std::size_t>(out_type)];
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(out);
  std::array<float, kChunk * kMaxMatrixChannels> pixels, results;
  for (; i < n; i += kChunk) {
    const std::int64_t m = std::min(kChunk, n - i);
    load(from + static_cast<std::size_t>(i * matrix.inputs) * Bytes(in_type), m * matrix.inputs,
         pixels.data());
    Multiply(pixels.data(), m, matrix, results.data());
    store(results.data(), m * matrix.outputs,
          to + static_cast<std::size_t>(i * matrix.outputs) * Bytes(out_type));
  }
}

}  // namespace dynjax
