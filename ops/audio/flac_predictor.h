// FLAC's linear predictors.
#pragma once

#include <cstdint>
#include <span>

namespace dynjax {

inline constexpr int kMostFlacCoefficients = 32;

// Adds to each number but the first, of which there is one for each coefficient, what those before
// it foretell: the sum of products, the first coefficient's with the nearest, divided by 2^shift
// and rounded down. There are 1 to 32 coefficients of 15 bits and more numbers, of 25 bits.
void PredictFlac(std::span<const std::int32_t> coefficients, int shift,
                 std::span<std::int32_t> samples);

// The same for the differences of an order up to 4, which need no products.
void IntegrateFlac(int order, std::span<std::int32_t> samples);

}  // namespace dynjax
