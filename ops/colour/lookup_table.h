// Whole numbers replaced by the entries of a table.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace dynjax {

// `table` has `known` entries and one more, which stands for all other numbers.
template <std::integral In, typename Out>
void LookUp(const In* in, std::int64_t n, const Out* table, std::int64_t known, Out* out) {
  if constexpr (std::is_unsigned_v<In> && sizeof(In) <= 2) {
    if (std::numeric_limits<In>::max() < known) {
      for (std::int64_t i = 0; i < n; ++i) out[i] = table[in[i]];
      return;
    }
  }
  const auto end = static_cast<std::uint64_t>(known);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto key = static_cast<std::uint64_t>(in[i]);  // a negative one exceeds all keys
    out[i] = table[key < end ? key : end];
  }
}

}  // namespace dynjax
