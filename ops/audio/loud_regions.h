// Where signals are not silent.
#pragma once

#include <cstdint>

namespace dynjax {

struct LoudRegion {
  std::int64_t begin = 0, length = 0;
};

// The samples from the start of the first window of `window` samples whose mean square reaches
// `reference * ratio` to the end of the last one; a reference of 0 is the largest mean square.
// All of the signal if there is no memory to work in.
LoudRegion FindLoudRegion(const float* x, std::int64_t length, std::int64_t window, float reference,
                          float ratio);

}  // namespace dynjax
