#include "base/convert.h"

#include "base/convert_avx2.h"
#include "base/scalar_convert.h"

namespace dynjax {
namespace {

template <typename T>
void Load(const void* in, std::int64_t n, float* out) {
  const auto* source = static_cast<const T*>(in);
  for (std::int64_t i = 0; i < n; ++i) out[i] = ToFloat(source[i]);
}

template <typename T>
void Store(const float* in, std::int64_t n, void* out) {
  auto* target = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) target[i] = FromFloat<T>(in[i]);
}

constexpr Converters kScalar{
    .load = {Load<std::uint8_t>, Load<std::int8_t>, Load<std::uint16_t>, Load<std::int16_t>,
             Load<std::uint32_t>, Load<std::int32_t>, Load<Half>, Load<float>},
    .store = {Store<std::uint8_t>, Store<std::int8_t>, Store<std::uint16_t>, Store<std::int16_t>,
              Store<std::uint32_t>, Store<std::int32_t>, Store<Half>, Store<float>}};

}  // namespace

const Converters& ConvertersFor(Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2Converters();
#endif
  (void)target;
  return kScalar;
}

}  // namespace dynjax
