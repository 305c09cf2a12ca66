// Work on a batch in pieces of about one size, whatever the sizes of its samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/samples.h"

namespace dynjax {

// Positions [begin, end) of one axis of a sample. A sample without axes is one part, [0, 1).
struct Part {
  std::int64_t sample;
  std::size_t axis;
  std::int64_t begin, end;
};

// Runs `body` for parts that make up all samples, on the pool, the largest samples first. Few large
// samples are divided; `bytes` is what an element costs, in copied bytes.
void ForEachPart(const Samples& samples, std::int64_t bytes,
                 const std::function<void(const Part&)>& body);

}  // namespace dynjax
