// The middle of a square window of 3, 5 or 7 pixels a side by a network of comparisons, compiled
// once per target.
//
// Columns of the window are sorted for the whole row, each of them serving several windows. Then
// the lines of the window are sorted, which leaves its columns sorted. Element (i, j) is now no
// smaller than (i + 1) * (j + 1) elements and no larger than (K - i) * (K - j), itself included, so
// that the outer corners cannot be the middle one; of the rest the smallest and the largest are
// dropped until one is left.
//
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace dynjax {
namespace {

#if defined(__AVX2__)
constexpr std::size_t kMedianVectorBytes = 32;
#else
constexpr std::size_t kMedianVectorBytes = 16;
#endif

template <typename Key>
struct MedianVector {
  typedef Key Type __attribute__((vector_size(kMedianVectorBytes)));
  static constexpr std::int64_t kLanes = kMedianVectorBytes / sizeof(Key);
};

// Checks of every reference would take a sanitizer's build minutes.
#define DYNJAX_UNROLLED __attribute__((always_inline, no_sanitize("undefined"))) inline

template <typename V>
DYNJAX_UNROLLED void Order(V& a, V& b) {
  const V lower = a < b ? a : b;
  b = a < b ? b : a;
  a = lower;
}

using Exchange = std::array<std::uint8_t, 2>;

// Networks that sort 3, 5 and 7 elements.
template <int K>
struct SortingNetwork;
template <>
struct SortingNetwork<3> {
  static constexpr std::array<Exchange, 3> kSteps{{{0, 1}, {1, 2}, {0, 1}}};
};
template <>
struct SortingNetwork<5> {
  static constexpr std::array<Exchange, 9> kSteps{
      {{0, 1}, {3, 4}, {2, 4}, {2, 3}, {1, 4}, {0, 3}, {0, 2}, {1, 3}, {1, 2}}};
};
template <>
struct SortingNetwork<7> {
  static constexpr std::array<Exchange, 16> kSteps{{{0, 6},
                                                    {2, 3},
                                                    {4, 5},
                                                    {0, 2},
                                                    {1, 4},
                                                    {3, 6},
                                                    {0, 1},
                                                    {2, 5},
                                                    {3, 4},
                                                    {1, 2},
                                                    {4, 6},
                                                    {2, 3},
                                                    {4, 5},
                                                    {1, 2},
                                                    {3, 4},
                                                    {5, 6}}};
};

// A number and no expression, even where nothing is optimised.
template <const auto& kSteps, std::size_t kStep, std::size_t kSide>
constexpr std::size_t kLine = kSteps[kStep][kSide];

// Steps that a compiler unrolls, so that all elements stay in registers as far as they fit.
template <const auto& kSteps, std::size_t kBegin, typename V, std::size_t... k>
DYNJAX_UNROLLED void RunSteps(V* values, std::index_sequence<k...>) {
  (Order(values[kLine<kSteps, kBegin + k, 0>], values[kLine<kSteps, kBegin + k, 1>]), ...);
}
// Some at a time: compilers limit the length of an expression.
template <const auto& kSteps, std::size_t kBegin = 0, typename V>
DYNJAX_UNROLLED void RunSteps(V* values) {
  constexpr std::size_t kCount = std::min<std::size_t>(64, kSteps.size() - kBegin);
  RunSteps<kSteps, kBegin>(values, std::make_index_sequence<kCount>());
  if constexpr (kBegin + kCount < kSteps.size()) RunSteps<kSteps, kBegin + kCount>(values);
}

// The exchanges after which the middle element of the window lies at `last`.
struct MiddleSteps {
  std::array<Exchange, 512> steps{};
  std::size_t count = 0, last = 0;
};

template <int K>
constexpr MiddleSteps FindMiddleSteps() {
  MiddleSteps found;
  const auto exchange = [&found](std::size_t a, std::size_t b) {
    found.steps[found.count++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
  };
  constexpr int kMiddle = (K * K + 1) / 2;
  std::array<std::size_t, K * K> left{};
  std::size_t size = 0;
  for (int i = 0; i < K; ++i) {
    for (const auto& [a, b] : SortingNetwork<K>::kSteps) {
      exchange(static_cast<std::size_t>(i * K + a), static_cast<std::size_t>(i * K + b));
    }
    for (int j = 0; j < K; ++j) {
      if ((i + 1) * (j + 1) > kMiddle || (K - i) * (K - j) > kMiddle) continue;
      left[size++] = static_cast<std::size_t>(i * K + j);
    }
  }
  // Just over half of what is left holds neither the largest nor the smallest of all as the middle.
  std::size_t begin = 0, end = size / 2 + 2;
  while (true) {
    const std::size_t half = (end - begin) / 2;
    for (std::size_t k = 0; k < half; ++k) exchange(left[begin + k], left[end - 1 - k]);
    for (std::size_t k = 1; k < end - begin - half; ++k) exchange(left[begin], left[begin + k]);
    for (std::size_t k = 1; k < end - begin - half; ++k) exchange(left[end - 1 - k], left[end - 1]);
    if (end - begin == 3) break;
    // The smallest goes; the next one takes the place of the largest.
    ++begin;
    left[end - 1] = left[size - 1];
    --size;
  }
  found.last = left[begin + 1];
  return found;
}

// Exactly the steps that there are.
template <int K>
struct MiddleNetwork {
  static constexpr MiddleSteps kFound = FindMiddleSteps<K>();
  static constexpr std::size_t kLast = kFound.last;
  static constexpr auto kSteps = [] {
    std::array<Exchange, kFound.count> steps{};
    for (std::size_t k = 0; k < steps.size(); ++k) steps[k] = kFound.steps[k];
    return steps;
  }();
};

// Column `x` of the rows, sorted for as many columns as a vector has lanes.
template <int K, typename Vector, typename Key, std::size_t... k>
DYNJAX_UNROLLED void SortColumns(const Key* const* rows, std::int64_t x, Key* sorted,
                                 std::int64_t stride, std::index_sequence<k...>) {
  Vector column[K];
  (std::memcpy(&column[k], rows[k] + x, sizeof(Vector)), ...);
  RunSteps<SortingNetwork<K>::kSteps>(column);
  (std::memcpy(sorted + static_cast<std::int64_t>(k) * stride + x, &column[k], sizeof(Vector)),
   ...);
}

// The middle of the windows whose first columns begin at `sorted`.
template <int K, typename Vector, typename Key, std::size_t... k>
DYNJAX_UNROLLED void FindMiddle(const Key* sorted, std::int64_t stride, std::int64_t inner,
                                Key* out, std::index_sequence<k...>) {
  Vector values[K * K];
  (std::memcpy(&values[k],
               sorted + static_cast<std::int64_t>(k / K) * stride +
                   static_cast<std::int64_t>(k % K) * inner,
               sizeof(Vector)),
   ...);
  RunSteps<MiddleNetwork<K>::kSteps>(values);
  std::memcpy(out, &values[MiddleNetwork<K>::kLast], sizeof(Vector));
}

// `rows`: K of them, with (K - 1) / 2 pixels more at both ends; `size` is that of the result. Rows,
// `sorted` (K rows of `stride`) and the result have room for a vector more.
template <typename Key, int K>
void MedianRow(const Key* const* rows, std::int64_t size, std::int64_t inner, Key* sorted,
               std::int64_t stride, Key* out) {
  using Vector = typename MedianVector<Key>::Type;
  constexpr std::int64_t kLanes = MedianVector<Key>::kLanes;
  for (std::int64_t x = 0; x < size + (K - 1) * inner; x += kLanes) {
    SortColumns<K, Vector>(rows, x, sorted, stride, std::make_index_sequence<K>());
  }
  for (std::int64_t x = 0; x < size; x += kLanes) {
    FindMiddle<K, Vector>(sorted + x, stride, inner, out + x, std::make_index_sequence<K * K>());
  }
}

#undef DYNJAX_UNROLLED

}  // namespace
}  // namespace dynjax
