// Fuzz target of chains of kernels on raw pictures: chains that call themselves sound stay inside
// their memory, and give the bits of their kernels one by one.
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/fuzz_input.h"
#include "decoders/decode_stage.h"
#include "movement/window_stage.h"
#include "normalise/normalize_stage.h"
#include "pictures/picture_chain.h"
#include "resize/resample_stage.h"

namespace dynjax {
namespace {

using Row = std::array<std::int32_t, 3>;

// One sample's tables of one kernel; what a stage refers to.
struct Tables {
  std::vector<std::int32_t> integers, more;
  std::vector<float> numbers, fill;
};

struct Part {
  std::unique_ptr<const Stage> stage;
  Row extent{};
  std::size_t item_bytes = 1;
};

Part Decoded(FuzzInput* input, const Row& size, Tables* own) {
  const bool turned = input->Bit();
  own->integers = {1, size[0], size[1], size[2], input->Between(0, 9)};
  Part part{.extent = turned ? Row{size[1], size[0], size[2]} : size};
  const DecodeParameters parameters{.output_type = input->Between(0, 4),
                                    .adjust_orientation = input->Bit(),
                                    .table = own->integers};
  part.stage = std::make_unique<DecodeStage>(parameters, 1);
  return part;
}

Part Resampled(FuzzInput* input, const Row& from, Tables* own) {
  own->numbers = input->Numbers(4);
  own->integers = {input->Between(0, 5), input->Between(0, 5)};
  auto stage = std::make_unique<ResampleStage>(ResampleParameters{.axes = {0, 1},
                                                                  .roi = own->numbers,
                                                                  .filter = own->integers,
                                                                  .antialias = input->Bit(),
                                                                  .border = input->Between(0, 1)});
  Promise(stage->Fault(1, 3) == nullptr);
  return {std::move(stage), {input->Between(0, 20), input->Between(0, 20), from[2]}, 1};
}

Part Windowed(FuzzInput* input, const Row& from, Tables* own) {
  own->integers = {input->Between(-9, 30), input->Bit() ? 1 : -1};
  own->fill = {input->Number()};
  auto stage = std::make_unique<WindowStage>(WindowParameters{.axes = {input->Between(0, 1)},
                                                              .perm = {0, 1, 2},
                                                              .table = own->integers,
                                                              .fill = own->fill},
                                             1);
  Promise(stage->Fault(3) == nullptr);
  Part part{std::move(stage), from, 1};
  if (input->Bit()) part.extent[input->Bit() ? 0 : 1] = input->Between(0, 24);
  return part;
}

Part Normalized(FuzzInput* input, const Row& from, Tables* own) {
  own->integers = {input->Between(-9, 30), input->Between(-9, 30), input->Between(0, 1)};
  own->numbers = input->Numbers(static_cast<std::size_t>(2 * from[2] + 1));
  own->fill = input->Numbers(static_cast<std::size_t>(from[2]));
  auto stage = std::make_unique<NormalizeStage>(NormalizeParameters{.axes = {0, 1},
                                                                    .perm = {2, 0, 1},
                                                                    .channel_axis = 2,
                                                                    .mirror_axis = 1,
                                                                    .window = own->integers,
                                                                    .scale = own->numbers,
                                                                    .fill = own->fill},
                                                1);
  if (stage->Fault(3) != nullptr) return {};
  return {std::move(stage), {from[2], input->Between(0, 20), input->Between(0, 20)}, 4};
}

Sample SampleOf(std::vector<std::byte>* memory, std::span<const std::int32_t> extent) {
  Sample sample{.data = memory->data(), .extent = extent};
  const auto strides = DenseStrides(extent);
  std::copy(strides.begin(), strides.end(), sample.strides.begin());
  return sample;
}

std::vector<std::byte> RoomFor(const Part& part) {
  return std::vector<std::byte>(VolumeOf(part.extent) * part.item_bytes, std::byte{0xa5});
}

void RunChain(FuzzInput input) {
  const Row size{input.Between(0, 24), input.Between(0, 24), input.Of({3, 1, 4, 2})};
  // Tables stay where they are: stages refer to them.
  std::array<Tables, 4> tables;
  std::vector<Part> parts;
  parts.push_back(Decoded(&input, size, &tables[0]));
  parts.front().extent[2] = input.Of({3, 1, size[2]});
  const auto more = static_cast<std::size_t>(input.Between(1, 3));
  for (std::size_t k = 1; k <= more; ++k) {
    const Row from = parts.back().extent;
    const int kind = input.Between(0, 2);
    Part part = kind == 0   ? Resampled(&input, from, &tables[k])
                : kind == 1 ? Windowed(&input, from, &tables[k])
                            : Normalized(&input, from, &tables[k]);
    if (part.stage == nullptr) return;
    parts.push_back(std::move(part));
    if (kind == 2) break;  // floats, which the others here do not take
  }
  std::vector<std::byte> pixels = input.Elements(VolumeOf(size));
  const Row bytes{static_cast<std::int32_t>(pixels.size()), 0, 0};
  const Sample source = SampleOf(&pixels, {bytes.data(), 1});

  std::vector<std::byte> result = RoomFor(parts.back());
  const Sample target = SampleOf(&result, parts.back().extent);
  std::vector<std::vector<std::byte>> steps;
  Status alone;
  Sample from = source;
  bool is_sound = true;
  for (const Part& part : parts) {
    steps.push_back(RoomFor(part));
    const Sample to = SampleOf(&steps.back(), part.extent);
    is_sound = is_sound && part.stage->IsSound(0, from.extent, part.extent);
    if (is_sound && alone.ok()) alone = part.stage->Run(0, from, to);
    from = to;
  }
  std::vector<Link> links;
  std::vector<Row> extents;
  for (const Part& part : parts) extents.push_back(part.extent);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    links.push_back({std::move(parts[k].stage), extents[k], 3, parts[k].item_bytes});
  }
  const PictureChain chain(std::move(links));
  Promise(chain.IsSound(0, source, target) == is_sound);
  if (!is_sound) return;
  const Status status = chain.Run(0, source, target);
  Promise(status.code() == alone.code());
  Promise(!status.ok() || result == steps.back());
}

}  // namespace
}  // namespace dynjax

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dynjax::RunChain(dynjax::FuzzInput(data, size));
  return 0;
}
