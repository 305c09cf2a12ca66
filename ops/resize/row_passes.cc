#include "resize/row_passes.h"

#include "resize/resample_avx2.h"
#include "resize/scalar_passes.h"

namespace dynjax {
namespace {

template <typename T>
void Blend(const void* const* rows, const float* weights, std::int32_t taps, std::int64_t n,
           float* out) {
  ScalarBlend<T>(rows, weights, taps, 0, n, out);
}

void Filter(const float* in, std::int64_t step, std::int32_t rows, const TapsView& taps,
            std::int64_t channels, float* out, std::int64_t out_step) {
  for (std::int32_t r = 0; r < rows; ++r, in += step, out += out_step) {
    for (std::int32_t o = 0; o < taps.out; ++o) {
      ScalarFilter(in, taps, o, channels, 0, channels, out);
    }
  }
}

constexpr RowPasses kScalar{
    .blend = {Blend<std::uint8_t>, Blend<std::int8_t>, Blend<std::uint16_t>, Blend<std::int16_t>,
              Blend<std::uint32_t>, Blend<std::int32_t>, Blend<Half>, Blend<float>},
    .filter = Filter};

}  // namespace

const RowPasses& RowPassesFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2RowPasses();
#endif
  (void)target;
  return kScalar;
}

}  // namespace dynjax
