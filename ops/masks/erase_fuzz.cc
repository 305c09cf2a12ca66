// Fuzz target of Erase: nothing outside the arrays is touched, each element is copied or filled as
// the regions say, and all targets give the same bits.
#include <array>

#include "base/fuzz_input.h"
#include "masks/erase.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  // Of these, bytes tell whether an element was filled.
  const auto type = input.Of({Element::kU8, Element::kI16, Element::kU32, Element::kI64});
  const int rank = input.Between(1, 4);
  std::vector<std::int32_t> extent;
  std::vector<int> axes;
  for (int a = 0; a < rank; ++a) {
    extent.push_back(input.Between(0, rank > 3 ? 6 : 20));
    if (input.Bit()) axes.insert(axes.begin() + input.Between(0, static_cast<int>(axes.size())), a);
  }
  const auto regions = static_cast<std::size_t>(input.Between(0, 3));
  std::vector<std::int32_t> limits;
  for (std::size_t k = 0; k < 2 * regions * axes.size(); ++k) {
    limits.push_back(input.Byte() % 16 == 0 ? input.Of({-2147483647 - 1, 2147483647})
                                            : input.Between(-4, 24));
  }
  int fill_axis = -1;
  std::vector<float> fill{7};
  if (input.Bit()) {
    fill_axis = input.Between(0, rank - 1);
    fill.resize(static_cast<std::size_t>(extent[static_cast<std::size_t>(fill_axis)]));
    for (std::size_t k = 0; k < fill.size(); ++k) fill[k] = static_cast<float>(7 + k);
  }
  const std::size_t item = Bytes(type), volume = VolumeOf(extent);
  auto elements = input.Elements(volume * item);
  const auto strides = DenseStrides(extent);
  ForBothTargets(
      volume * item,
      [&](std::byte* out, Target target) {
        Erase({elements.data(), type, extent, strides}, {out, type, extent, strides},
              {axes, limits, fill, fill_axis}, target);
      },
      [&](const auto& a, const auto& b) {
        Promise(a == b);
        std::array<std::int32_t, 4> at{};
        for (std::size_t i = 0; i < volume; ++i) {
          bool is_filled = false;
          for (std::size_t r = 0; r < (axes.empty() ? 0 : regions); ++r) {
            bool is_inside = true;
            for (std::size_t k = 0; k < axes.size(); ++k) {
              const std::size_t first = 2 * r * axes.size() + k;
              const std::int32_t place = at[static_cast<std::size_t>(axes[k])];
              is_inside =
                  is_inside && limits[first] <= place && place < limits[first + axes.size()];
            }
            is_filled = is_filled || is_inside;
          }
          std::int64_t wanted = 0;
          if (is_filled) {
            wanted = 7 + (fill_axis < 0 ? 0 : at[static_cast<std::size_t>(fill_axis)]);
          } else {
            std::memcpy(&wanted, elements.data() + i * item, item);
          }
          Promise(std::memcmp(&wanted, a.data() + i * item, item) == 0);
          for (std::size_t d = extent.size(); d-- > 0;) {
            if (++at[d] < extent[d]) break;
            at[d] = 0;
          }
        }
      });
  return 0;
}
