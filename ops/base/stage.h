// A kernel's work on one sample, wherever that lies: what a batch and a chain of kernels both run.
#pragma once

#include <cstdint>
#include <span>

#include "base/samples.h"
#include "base/status.h"

namespace dynjax {

// One kernel with its parameters for all samples of a batch.
class Stage {
 public:
  using Extent = std::span<const std::int32_t>;

  virtual ~Stage() = default;

  // Whether sample `i`, of extent `from`, can become one of extent `to`. Asked for all samples
  // before any work is done.
  virtual bool IsSound(std::int64_t i, Extent from, Extent to) const = 0;

  // Makes `to` of `from`. Thread-safe.
  virtual Status Run(std::int64_t i, const Sample& from, const Sample& to) const = 0;
};

}  // namespace dynjax
