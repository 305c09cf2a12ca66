// Sums, per target: of rows, where lane i of a row is added to sum i, and of one row.
#pragma once

#include <cstdint>

#include "base/simd.h"

namespace dynjax {

struct Sums {
  // Numbers and their squares.
  using AddBytes = void (*)(const std::uint8_t* in, std::int64_t n, std::uint32_t* sum,
                            std::uint32_t* squares);
  using Add = void (*)(const float* in, std::int64_t n, double* sum);
  // Squares of the distances from `mean`, one for each lane.
  using AddSquares = void (*)(const float* in, const float* mean, std::int64_t n, double* sum);

  // One sum of all.
  using Total = double (*)(const float* in, std::int64_t n);
  using TotalSquares = double (*)(const float* in, float mean, std::int64_t n);

  AddBytes add_bytes;
  Add add;
  AddSquares add_squares;
  Total total;
  TotalSquares total_squares;
};

const Sums& SumsFor(Target target);

}  // namespace dynjax
