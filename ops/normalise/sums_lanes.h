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

constexpr Sums kOwnSums{.add_bytes = AddBytes, .add = Add, .add_squares = AddSquares};

}  // namespace
}  // namespace dynjax
