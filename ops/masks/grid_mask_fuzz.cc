// Fuzz target of MaskGrid: nothing outside the arrays is touched, and each element is copied or 0.
#include "base/fuzz_input.h"
#include "masks/grid_mask.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  const auto item = static_cast<std::size_t>(input.Of({1, 2, 4, 8}));
  const int rank = input.Between(2, 4);
  std::vector<std::int32_t> extent;
  for (int a = 0; a < rank; ++a) extent.push_back(input.Between(0, rank > 3 ? 6 : 20));
  const int rows = input.Between(0, rank - 2), columns = input.Between(rows + 1, rank - 1);
  auto strides = DenseStrides(extent);
  for (auto& s : strides) s *= static_cast<std::int64_t>(item);
  const Grid grid{input.Number(), input.Number(), input.Number(), input.Number(), input.Number()};
  auto elements = input.Elements(VolumeOf(extent) * item);
  std::vector<std::byte> out(elements.size(), std::byte{0xa5});
  std::vector<std::uint8_t> scratch(
      static_cast<std::size_t>(extent[static_cast<std::size_t>(columns)]));
  if (elements.empty()) return 0;
  MaskGrid({elements.data(), extent, strides}, {out.data(), extent, strides}, item,
           static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), grid, scratch);
  for (std::size_t i = 0; i < out.size(); ++i) {
    Promise(out[i] == elements[i] || out[i] == std::byte{0});
  }
  return 0;
}
