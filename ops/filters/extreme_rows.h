// The extreme of two rows, compiled once per target.
// Internal linkage, because files compiled for different instruction sets include it.
#pragma once

#include <cstdint>

namespace dynjax {
namespace {

// `out` is neither of the rows.
template <typename Key, bool kLargest>
void PickRow(const Key* a, const Key* b, std::int64_t n, Key* __restrict out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = (a[i] > b[i]) == kLargest ? a[i] : b[i];
}

}  // namespace
}  // namespace dynjax
