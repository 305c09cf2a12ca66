// Sums of rows in a form that compilers turn into vector code, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cstdint>

#include "normalise/sums.h"

namespace dynjax {
namespace {

void AddBytes(const std::uint8_t* __restrict in, std::int64_t n, std::uint32_t* __restrict sum,
              std::uint32_t* __restrict squares) {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t x = in[i];
    sum[i] += x;
    squares[i] += x * x;
  }
}

void Add(const float* __restrict in, std::int64_t n, double* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) sum[i] += static_cast<double>(in[i]);
}

void AddSquares(const float* __restrict in, const float* __restrict mean, std::int64_t n,
                double* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto distance = static_cast<double>(in[i] - mean[i]);
    sum[i] += distance * distance;
  }
}

// The sum of what `term` makes of each element, in double precision: one sum would wait for itself.
template <typename Term>
double TotalOf(const float* in, std::int64_t n, const Term& term) {
  constexpr std::int64_t kSums = 16;
  double sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::int64_t k = 0; k < kSums; ++k) sums[k] += term(in[i + k]);
  }
  for (std::int64_t k = 0; i < n; ++i, ++k) sums[k] += term(in[i]);
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

double Total(const float* in, std::int64_t n) {
  return TotalOf(in, n, [](float x) { return static_cast<double>(x); });
}

double TotalSquares(const float* in, float mean, std::int64_t n) {
  return TotalOf(in, n, [mean](float x) {
    const auto distance = static_cast<double>(x - mean);
    return distance * distance;
  });
}

constexpr Sums kOwnSums{.add_bytes = AddBytes,
                        .add = Add,
                        .add_squares = AddSquares,
                        .total = Total,
                        .total_squares = TotalSquares};

}  // namespace
}  // namespace dynjax
