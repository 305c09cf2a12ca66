#include "filters/extremes_avx2.h"

#if defined(__AVX2__)

#include "filters/extreme_rows.h"

namespace dynjax {

template <typename Key, bool kLargest>
void Avx2PickRow(const Key* a, const Key* b, std::int64_t n, Key* out) {
  PickRow<Key, kLargest>(a, b, n, out);
}

template void Avx2PickRow<std::uint8_t, true>(const std::uint8_t*, const std::uint8_t*,
                                              std::int64_t, std::uint8_t*);
template void Avx2PickRow<std::uint8_t, false>(const std::uint8_t*, const std::uint8_t*,
                                               std::int64_t, std::uint8_t*);
template void Avx2PickRow<std::int16_t, true>(const std::int16_t*, const std::int16_t*,
                                              std::int64_t, std::int16_t*);
template void Avx2PickRow<std::int16_t, false>(const std::int16_t*, const std::int16_t*,
                                               std::int64_t, std::int16_t*);
template void Avx2PickRow<std::int32_t, true>(const std::int32_t*, const std::int32_t*,
                                              std::int64_t, std::int32_t*);
template void Avx2PickRow<std::int32_t, false>(const std::int32_t*, const std::int32_t*,
                                               std::int64_t, std::int32_t*);

}  // namespace dynjax

#endif  // __AVX2__
