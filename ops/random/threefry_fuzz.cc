// Fuzz target of the generator's handler: whatever the shapes, every block is the one of its words,
// nothing beyond an operand is read, and what does not fit is refused.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/direct_call.h"
#include "base/fuzz_input.h"
#include "base/threefry.h"
#include "random/threefry_ffi.h"

namespace dynjax {
namespace {

using Dims = std::vector<std::int64_t>;

struct Words32 {
  DirectBuffer buffer() { return {XLA_FFI_DataType_U32, data.data(), dims}; }

  Dims dims;
  std::vector<std::uint32_t> data;
};

std::size_t Volume(const Dims& dims) {
  std::size_t n = 1;
  for (const auto d : dims) n *= static_cast<std::size_t>(d);
  return n;
}

// The word that an operand has for element `i` of the result.
std::uint32_t At(const Words32& operand, const Dims& shape, std::size_t i) {
  std::size_t place = 0, step = 1;
  for (std::size_t a = shape.size(); a-- > 0;) {
    const std::size_t index = i % static_cast<std::size_t>(shape[a]);
    i /= static_cast<std::size_t>(shape[a]);
    if (operand.dims[a] != 1) place += index * step;
    step *= static_cast<std::size_t>(operand.dims[a]);
  }
  return operand.data[place];
}

void Run(FuzzInput& input) {
  Dims shape(static_cast<std::size_t>(input.Between(0, 5)));
  for (auto& d : shape) d = input.Between(0, 6);
  bool fits = true;
  std::array<Words32, 4> operands;
  for (Words32& operand : operands) {
    operand.dims = shape;
    for (auto& d : operand.dims) {
      if (input.Bit()) d = 1;
    }
    if (input.Byte() == 0) operand.dims.push_back(2);
    if (!operand.dims.empty() && input.Byte() == 0) operand.dims[0] = input.Between(0, 9);
    fits = fits && operand.dims.size() == shape.size();
    for (std::size_t a = 0; fits && a < shape.size(); ++a) {
      fits = operand.dims[a] == 1 || operand.dims[a] == shape[a];
    }
    operand.data.resize(Volume(operand.dims));
    for (auto& word : operand.data) word = static_cast<std::uint32_t>(input.Between(0, 65535));
  }
  std::array<Words32, 2> results{Words32{shape, {}}, Words32{shape, {}}};
  for (Words32& result : results) result.data.resize(Volume(shape));

  std::vector<DirectBuffer> from, to;
  for (Words32& operand : operands) from.push_back(operand.buffer());
  for (Words32& result : results) to.push_back(result.buffer());
  const DirectCall call(ThreefryHandler, {});
  const std::string refusal = call.Run(from, to);
  Promise(refusal.empty() == fits);
  for (std::size_t i = 0; fits && i < Volume(shape); ++i) {
    const auto word = [&](std::size_t k) { return At(operands[k], shape, i); };
    const Words made = Threefry2x32({word(0), word(1)}, {word(2), word(3)});
    Promise(results[0].data[i] == made.first && results[1].data[i] == made.second);
  }
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::FuzzInput input(data, size);
  dynjax::Run(input);
  return 0;
}
