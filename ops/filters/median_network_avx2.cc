#include "filters/median_network_avx2.h"

#if defined(__AVX2__)

#include "filters/median_network.h"

namespace dynjax {

template <typename Key, int K>
void Avx2MedianRow(const Key* const* rows, std::int64_t size, std::int64_t inner, Key* sorted,
                   std::int64_t stride, Key* out) {
  MedianRow<Key, K>(rows, size, inner, sorted, stride, out);
}

#define DYNJAX_MEDIAN_ROWS(K)                                                             \
  template void Avx2MedianRow<std::uint8_t, K>(const std::uint8_t* const*, std::int64_t,  \
                                               std::int64_t, std::uint8_t*, std::int64_t, \
                                               std::uint8_t*);                            \
  template void Avx2MedianRow<std::int16_t, K>(const std::int16_t* const*, std::int64_t,  \
                                               std::int64_t, std::int16_t*, std::int64_t, \
                                               std::int16_t*);                            \
  template void Avx2MedianRow<std::int32_t, K>(const std::int32_t* const*, std::int64_t,  \
                                               std::int64_t, std::int32_t*, std::int64_t, \
                                               std::int32_t*)
DYNJAX_MEDIAN_ROWS(3);
DYNJAX_MEDIAN_ROWS(5);
DYNJAX_MEDIAN_ROWS(7);
#undef DYNJAX_MEDIAN_ROWS

}  // namespace dynjax

#endif  // __AVX2__
