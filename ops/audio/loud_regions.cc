#include "audio/loud_regions.h"

#include <algorithm>

#include "audio/work.h"

namespace dynjax {

LoudRegion FindLoudRegion(const float* x, std::int64_t length, std::int64_t window, float reference,
                          float ratio) {
  const Work work(length);
  float* powers = work.data();
  if (powers == nullptr) return {0, length};
  // In double precision, in which the sum of squares of floats loses nothing that counts.
  double sum = 0;
  float largest = 0;
  const auto divisor = static_cast<double>(window);
  const auto square = [](float value) { return static_cast<double>(value) * value; };
  for (std::int64_t n = 0; n < length; ++n) {
    sum += n < window ? square(x[n]) : square(x[n]) - square(x[n - window]);
    powers[n] = static_cast<float>(sum / divisor);
    largest = std::max(largest, powers[n]);
  }
  const float threshold = (reference == 0 ? largest : reference) * ratio;
  std::int64_t first = 0;
  while (first < length && !(powers[first] >= threshold)) ++first;
  if (first == length) return {};
  std::int64_t last = length - 1;
  while (!(powers[last] >= threshold)) --last;
  first = std::max<std::int64_t>(first - window + 1, 0);
  return {first, last - first + 1};
}

}  // namespace dynjax
