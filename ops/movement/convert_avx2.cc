#include "movement/convert_avx2.h"

#if defined(__AVX2__)

#include <optional>

#include "base/convert.h"
#include "movement/scalar_elements.h"

namespace dynjax {
namespace {

constexpr ConvertTable kCompiled = AllConverters();

std::optional<Pixel> PixelOf(Element type) {
  switch (type) {
    case Element::kU8:
      return Pixel::kU8;
    case Element::kI8:
      return Pixel::kI8;
    case Element::kU16:
      return Pixel::kU16;
    case Element::kI16:
      return Pixel::kI16;
    case Element::kF16:
      return Pixel::kF16;
    default:
      return std::nullopt;
  }
}

// The conversions from and to float32 that the pixel kernels have by hand; the loads and stores
// take `const float*` and `float*`, which the wrappers hide.
template <Pixel type>
void FromPixel(const void* in, std::int64_t n, void* out) {
  ConvertersFor(Target::kAvx2)
      .load[static_cast<std::size_t>(type)](in, n, static_cast<float*>(out));
}

template <Pixel type>
void ToPixel(const void* in, std::int64_t n, void* out) {
  ConvertersFor(Target::kAvx2)
      .store[static_cast<std::size_t>(type)](static_cast<const float*>(in), n, out);
}

ConvertRow Loader(Pixel type) {
  switch (type) {
    case Pixel::kU8:
      return FromPixel<Pixel::kU8>;
    case Pixel::kI8:
      return FromPixel<Pixel::kI8>;
    case Pixel::kU16:
      return FromPixel<Pixel::kU16>;
    case Pixel::kI16:
      return FromPixel<Pixel::kI16>;
    default:
      return FromPixel<Pixel::kF16>;
  }
}

ConvertRow Storer(Pixel type) {
  switch (type) {
    case Pixel::kU8:
      return ToPixel<Pixel::kU8>;
    case Pixel::kI8:
      return ToPixel<Pixel::kI8>;
    case Pixel::kU16:
      return ToPixel<Pixel::kU16>;
    case Pixel::kI16:
      return ToPixel<Pixel::kI16>;
    default:
      return ToPixel<Pixel::kF16>;
  }
}

}  // namespace

ConvertRow Avx2ConverterFor(Element from, Element to) {
  if (to == Element::kF32) {
    if (const auto pixel = PixelOf(from)) return Loader(*pixel);
  }
  if (from == Element::kF32) {
    if (const auto pixel = PixelOf(to)) return Storer(*pixel);
  }
  return kCompiled[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

}  // namespace dynjax

#endif  // __AVX2__
