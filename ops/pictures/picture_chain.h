// Kernels one after another on each sample: what lies between them never leaves the cache.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/samples.h"
#include "base/stage.h"
#include "base/status.h"

namespace dynjax {

// A kernel of a chain, and what it makes of each sample.
struct Link {
  std::unique_ptr<const Stage> stage;
  std::span<const std::int32_t> extents;  // [N, rank]
  std::size_t rank = 0;
  std::size_t item_bytes = 1;

  Stage::Extent ExtentOf(std::int64_t i) const {
    return extents.subspan(static_cast<std::size_t>(i) * rank, rank);
  }
};

class PictureChain {
 public:
  // The first link reads the samples of a call, the last one writes its result.
  explicit PictureChain(std::vector<Link> links) : links_(std::move(links)) {}

  // Whether the extents of sample `i` fit each other.
  bool IsSound(std::int64_t i, const Sample& from, const Sample& to) const;

  // What the first link that failed said. Scratch memory is the thread's own; kTooLarge: there is
  // none.
  Status Run(std::int64_t i, const Sample& from, const Sample& to) const;

 private:
  std::vector<Link> links_;
};

}  // namespace dynjax
