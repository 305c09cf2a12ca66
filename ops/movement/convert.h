// Rows of elements of one type as elements of another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd.h"
#include "movement/element.h"

namespace dynjax {

// `n` elements. To integers: to nearest, halves away from zero, clamped; NaN becomes 0, or the
// smallest value of int32 and int64. To bool: whether the rounded value is not 0.
using ConvertRow = void (*)(const void* in, std::int64_t n, void* out);

ConvertRow ConverterFor(Element from, Element to, Target target);

}  // namespace dynjax
