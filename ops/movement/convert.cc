#include "movement/convert.h"

#include "movement/convert_avx2.h"
#include "movement/scalar_elements.h"

namespace dynjax {
namespace {

constexpr ConvertTable kScalar = AllConverters();

}  // namespace

ConvertRow ConverterFor(Element from, Element to, Target target) {
#if defined(__x86_64__)
  if (target == Target::kAvx2) return Avx2ConverterFor(from, to);
#endif
  (void)target;
  return kScalar[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

}  // namespace dynjax
