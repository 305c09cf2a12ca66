// Fuzz target of StridedCopy: whatever the window says, nothing outside the arrays is touched, and
// all targets give the same bits.
#include "base/fuzz_input.h"
#include "movement/strided_copy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynjax;
  FuzzInput input(data, size);
  const auto type = static_cast<Element>(input.Between(0, kElements - 1));
  const Element out_type =
      input.Bit() ? type : static_cast<Element>(input.Between(0, kElements - 1));
  const int rank = input.Between(0, 5);
  std::vector<std::int32_t> extent, out_extent;
  std::vector<std::int64_t> anchor, step;
  std::vector<int> perm;
  for (int a = 0; a < rank; ++a) {
    extent.push_back(input.Between(0, rank > 3 ? 6 : 33));
    step.push_back(input.Of({1, 1, 1, -1, 2, -3, 0, 100000}));
    anchor.push_back(input.Bit() ? 0 : input.Between(-40, 40));
    perm.insert(perm.begin() + input.Between(0, a), a);
  }
  if (rank > 0 && input.Byte() % 4 == 0) perm.pop_back();
  for (const int axis : perm) {
    const std::int32_t own = extent[static_cast<std::size_t>(axis)];
    out_extent.push_back(input.Bit() ? own : input.Between(0, rank > 3 ? 6 : 40));
  }
  int fill_axis = -1;
  std::vector<float> fill;
  if (input.Bit()) {
    if (!perm.empty() && input.Bit())
      fill_axis = input.Between(0, static_cast<int>(perm.size()) - 1);
    const std::int32_t values = fill_axis < 0 ? 1 : out_extent[static_cast<std::size_t>(fill_axis)];
    fill = input.Numbers(static_cast<std::size_t>(values));
  }
  auto elements = input.Elements(VolumeOf(extent) * Bytes(type));
  // A byte of this type is 0 or 1.
  if (type == Element::kBool) {
    for (auto& e : elements) e &= std::byte{1};
  }
  const auto strides = DenseStrides(extent), out_strides = DenseStrides(out_extent);
  ForBothTargets(
      VolumeOf(out_extent) * Bytes(out_type),
      [&](std::byte* out, Target target) {
        StridedCopy({elements.data(), type, extent, strides},
                    {out, out_type, out_extent, out_strides}, {perm, anchor, step, fill, fill_axis},
                    target);
      },
      [&](const auto& a, const auto& b) {
        const bool may_be_nan = out_type == Element::kF16 || out_type == Element::kBF16 ||
                                out_type == Element::kF32 || out_type == Element::kF64;
        Promise(a == b || may_be_nan);
      });
  return 0;
}
