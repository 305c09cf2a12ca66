// The data movements of a batch, sample by sample on the pool.
//
// Each returns null, or what is wrong with its operands; nothing has been written then.
#pragma once

#include <cstdint>
#include <span>

#include "base/samples.h"
#include "movement/element.h"
#include "movement/windows.h"

namespace dynjax {

struct Typed {
  const Samples& samples;
  Element type;
};

const char* CopyWindows(Typed source, Typed target, const Windows& windows);

// Converts each element.
const char* ConvertSamples(Typed source, Typed target);

// Picks positions of the first axis. `order` is [N, k]; a sample takes as many as its target has,
// or one if the target lacks the axis.
const char* TakeFrames(Typed source, Typed target, std::span<const std::int32_t> order);

// Inputs one after another along `axis`; `stacked`: along a new axis of the result. Inputs are
// given apart, N samples each, or as one list of all inputs of the first sample, of the second, and
// so on.
const char* JoinSamples(std::span<const Samples> sources, Typed target, int axis, bool stacked);

}  // namespace dynjax
