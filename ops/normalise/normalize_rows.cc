#include "normalise/normalize_rows.h"

#include "normalise/crop_mirror_normalize_avx2.h"
#include "normalise/scalar_rows.h"

namespace dynjax {
namespace {

void Affine(const float* mean, const float* mul, std::int64_t step, float shift, std::int64_t n,
            float* x) {
  for (std::int64_t i = 0; i < n; ++i)
    x[i] = Normalized(x[i], mean[i * step], mul[i * step], shift);
}

template <typename T>
void Split(const std::uint8_t* in, std::int64_t n, bool reversed, const float* mean,
           const float* mul, float shift, void* const* planes) {
  ScalarSplit<T>(in, n, reversed, mean, mul, shift, planes, 0, n);
}

void Interleave(const std::uint8_t* in, std::int64_t n, bool reversed, const float* mean,
                const float* mul, float shift, float* out) {
  ScalarInterleave(in, n, reversed, mean, mul, shift, 0, out);
}

constexpr NormalizeRows kScalar{.affine = Affine,
                                .split_f32 = Split<float>,
                                .split_f16 = Split<Half>,
                                .interleave = Interleave};

}  // namespace

const NormalizeRows& NormalizeRowsFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2NormalizeRows();
#endif
  (void)target;
  return kScalar;
}

}  // namespace dynjax
