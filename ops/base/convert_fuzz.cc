// Fuzz target of the conversions of elements: all targets give the same bits.
#include "base/convert.h"
#include "base/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  const auto type = static_cast<Pixel>(input.Between(0, kPixels - 1));
  const auto n = static_cast<std::size_t>(input.Between(0, 80));
  const bool stores = input.Bit();
  const auto elements = input.Elements(n * (stores ? sizeof(float) : Bytes(type)));
  const auto which = static_cast<std::size_t>(type);
  const auto count = static_cast<std::int64_t>(n);
  ForBothTargets(
      n * (stores ? Bytes(type) : sizeof(float)),
      [&](std::byte* out, Target target) {
        const Converters& convert = ConvertersFor(target);
        if (stores) {
          convert.store[which](reinterpret_cast<const float*>(elements.data()), count, out);
        } else {
          convert.load[which](elements.data(), count, reinterpret_cast<float*>(out));
        }
      },
      [&](const auto& a, const auto& b) { PromiseSame(a, b, stores ? type : Pixel::kF32); });
  return 0;
}
