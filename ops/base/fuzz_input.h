// What fuzz targets of kernels draw their shapes, arguments and elements from.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include "base/convert.h"

namespace dynjax {

// The fuzzer's bytes, one value after another; zeros behind their end.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  std::uint8_t Byte() {
    if (at_ == bytes_.size()) return 0;
    return bytes_[at_++];
  }
  bool Bit() { return (Byte() & 1) != 0; }
  // From `low` to `high`, which are less than 2^16 apart.
  std::int32_t Between(std::int32_t low, std::int32_t high) {
    const std::int32_t drawn = Byte() | (high - low > 255 ? Byte() << 8 : 0);
    return low + drawn % (high - low + 1);
  }
  template <typename T>
  T Of(std::initializer_list<T> choices) {
    return choices.begin()[Byte() % choices.size()];
  }
  // Mostly of ordinary size; sometimes what nobody expects.
  float Number() {
    const std::uint8_t kind = Byte();
    if (kind < 8) {
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      constexpr std::array<float, 8> kWild{std::numeric_limits<float>::quiet_NaN(),
                                           kInfinity,
                                           -kInfinity,
                                           1e38f,
                                           -1e30f,
                                           0,
                                           -0.0f,
                                           1e-40f};
      return kWild[kind];
    }
    return Tame();
  }
  std::vector<float> Numbers(std::size_t count) {
    std::vector<float> out(count);
    for (auto& x : out) x = Number();
    return out;
  }
  // -128 to 128, in steps of 1/256.
  float Tame() { return static_cast<float>(Between(0, 65535) - 32768) / 256; }
  std::vector<float> Tames(std::size_t count) {
    std::vector<float> out(count);
    for (auto& x : out) x = Tame();
    return out;
  }
  // Elements for a kernel: the bytes that are left, over and over. The memory ends with them, so
  // that a sanitizer sees what is read beyond.
  std::vector<std::byte> Elements(std::size_t count) {
    std::vector<std::byte> out(count);
    const auto left = bytes_.subspan(at_);
    std::uint32_t state = static_cast<std::uint32_t>(left.size()) + 1;
    for (std::size_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      const std::uint8_t given = left.empty() ? 0 : left[i % left.size()];
      out[i] = static_cast<std::byte>(given ^ (i < left.size() ? 0 : state >> 24));
    }
    return out;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

inline void Promise(bool kept) {
  if (!kept) std::abort();
}

inline std::vector<std::int64_t> DenseStrides(std::span<const std::int32_t> extent) {
  std::vector<std::int64_t> strides(extent.size());
  std::int64_t step = 1;
  for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) strides[a] = step;
  return strides;
}

inline std::size_t VolumeOf(std::span<const std::int32_t> extent) {
  std::size_t n = 1;
  for (const auto e : extent) n *= static_cast<std::size_t>(e);
  return n;
}

// Runs a kernel for each target into memory of `bytes` and hands both results to `compare`.
template <typename Run, typename Compare>
void ForBothTargets(std::size_t bytes, const Run& run, const Compare& compare) {
  std::vector<std::byte> plain(bytes, std::byte{0xa5}), best = plain;
  run(plain.data(), Target::kScalar);
  run(best.data(), BestTarget());
  compare(plain, best);
}

// The same bits; of floats, any NaN for any other.
inline void PromiseSame(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                        Pixel type) {
  if (a == b) return;
  const std::size_t n = a.size() / Bytes(type);
  std::vector<float> x(n), y(n);
  const auto load = ConvertersFor(Target::kScalar).load[static_cast<std::size_t>(type)];
  load(a.data(), static_cast<std::int64_t>(n), x.data());
  load(b.data(), static_cast<std::int64_t>(n), y.data());
  for (std::size_t i = 0; i < n; ++i) {
    Promise(std::bit_cast<std::uint32_t>(x[i]) == std::bit_cast<std::uint32_t>(y[i]) ||
            (std::isnan(x[i]) && std::isnan(y[i])));
  }
}

// Bytes that differ by what sums in another order may round to.
inline void PromiseClose(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    Promise(std::abs(std::to_integer<int>(a[i]) - std::to_integer<int>(b[i])) <= 1);
  }
}

}  // namespace dynjax
