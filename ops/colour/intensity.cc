#include "colour/intensity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/scalar_convert.h"
#include "colour/intensity_avx2.h"

namespace dynjax {
namespace {

constexpr std::int64_t kChunk = 1024;

// A byte has few values: all of them cost less than a long run.
void ScaleBytesByTable(const std::uint8_t* in, std::int64_t n, float gain, float offset,
                       std::uint8_t* out) {
  std::array<std::uint8_t, 256> table;
  for (std::size_t v = 0; v < table.size(); ++v) {
    table[v] = FromFloat<std::uint8_t>(__builtin_fmaf(static_cast<float>(v), gain, offset));
  }
  for (std::int64_t i = 0; i < n; ++i) out[i] = table[in[i]];
}

void ScaleFloats(float* x, std::int64_t n, float gain, float offset, Target instructions) {
#if defined(__x86_64__)
  if (instructions == Target::kAvx2) return Avx2ScaleFloats(x, n, gain, offset);
#endif
  (void)instructions;
  for (std::int64_t i = 0; i < n; ++i) x[i] = __builtin_fmaf(x[i], gain, offset);
}

}  // namespace

void ScaleIntensity(const void* in, Pixel in_type, std::int64_t n, float gain, float offset,
                    Pixel out_type, void* out, Target instructions) {
  if (in_type == Pixel::kU8 && out_type == Pixel::kU8) {
    const auto* from = static_cast<const std::uint8_t*>(in);
    auto* to = static_cast<std::uint8_t*>(out);
#if defined(__x86_64__)
    if (instructions == Target::kAvx2) return Avx2ScaleBytes(from, n, gain, offset, to);
#endif
    return ScaleBytesByTable(from, n, gain, offset, to);
  }
  const Converters& convert = ConvertersFor(instructions);
  const auto load = convert.load[static_cast<std::size_t>(in_type)];
  const auto store = convert.store[static_cast<std::size_t>(out_type)];
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(out);
  const bool is_float = out_type == Pixel::kF32;
  std::array<float, kChunk> buffer;
  for (std::int64_t i = 0; i < n; i += kChunk) {
    const std::int64_t m = std::min(kChunk, n - i);
    std::byte* target = to + static_cast<std::size_t>(i) * Bytes(out_type);
    float* values = is_float ? reinterpret_cast<float*>(target) : buffer.data();
    load(from + static_cast<std::size_t>(i) * Bytes(in_type), m, values);
    ScaleFloats(values, m, gain, offset, instructions);
    if (!is_float) store(values, m, target);
  }
}

}  // namespace dynjax
