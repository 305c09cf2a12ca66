// A chain of kernels against the same kernels one by one.

#include "pictures/picture_chain.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "decoders/decode_stage.h"
#include "movement/window_stage.h"
#include "normalise/normalize_stage.h"
#include "resize/resample_stage.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  ++failures;
}

using Row = std::array<std::int32_t, 3>;
constexpr std::int32_t kRaw = 1;  // pixels that another library decoded
constexpr Row kSmall{6, 5, 3}, kPlanes{3, 6, 5};

Sample SampleOf(std::vector<std::uint8_t>* memory, std::span<const std::int32_t> extent) {
  Sample sample{.data = reinterpret_cast<std::byte*>(memory->data()), .extent = extent};
  std::int64_t step = 1;
  for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) sample.strides[a] = step;
  return sample;
}

// Raw pictures of random content, and the tables of four kernels for them.
struct Batch {
  explicit Batch(std::vector<Row> sizes) : extents(std::move(sizes)) {
    std::mt19937 random(7);
    for (const Row& e : extents) {
      auto& picture = pixels.emplace_back(static_cast<std::size_t>(e[0]) * e[1] * e[2]);
      for (auto& p : picture) p = static_cast<std::uint8_t>(random());
      bytes.push_back(static_cast<std::int32_t>(picture.size()));
      decode.insert(decode.end(), {kRaw, e[0], e[1], e[2], 1});
      decoded.insert(decoded.end(), e.begin(), e.end());
      resized.insert(resized.end(), kSmall.begin(), kSmall.end());
      roi.insert(roi.end(), {0.0f, static_cast<float>(e[0]), 1.0f, static_cast<float>(e[1])});
      filter.insert(filter.end(), {1, 2});
      window.insert(window.end(), {4, -1});  // one axis, backwards
      fill.push_back(0);
      crop.insert(crop.end(), {1, -1, static_cast<std::int32_t>(crop.size() / 3 % 2)});
      scale.insert(scale.end(), {1, 2, 3, 0.5f, 0.25f, 2, 0.125f});
      outside.insert(outside.end(), {7, 8, 9});
    }
  }
  std::int64_t size() const { return static_cast<std::int64_t>(extents.size()); }
  Sample Source(std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    return SampleOf(&pixels[k], {&bytes[k], 1});
  }

  std::unique_ptr<const Stage> Decode() const {
    return std::make_unique<DecodeStage>(DecodeParameters{.table = decode}, size());
  }
  std::unique_ptr<const Stage> Resize() const {
    return std::make_unique<ResampleStage>(
        ResampleParameters{.axes = {0, 1}, .roi = roi, .filter = filter});
  }
  std::unique_ptr<const Stage> Flip() const {
    return std::make_unique<WindowStage>(
        WindowParameters{.axes = {1}, .perm = {0, 1, 2}, .table = window, .fill = fill}, size());
  }
  std::unique_ptr<const Stage> Normalize() const {
    return std::make_unique<NormalizeStage>(NormalizeParameters{.axes = {0, 1},
                                                                .perm = {2, 0, 1},
                                                                .channel_axis = 2,
                                                                .mirror_axis = 1,
                                                                .window = crop,
                                                                .scale = scale,
                                                                .fill = outside},
                                            size());
  }
  PictureChain Chain() const {
    std::vector<Link> links;
    links.push_back({Decode(), decoded, 3, 1});
    links.push_back({Resize(), resized, 3, 1});
    links.push_back({Flip(), resized, 3, 1});
    links.push_back({Normalize(), {}, 3, 4});
    return PictureChain(std::move(links));
  }

  std::vector<Row> extents;
  std::vector<std::vector<std::uint8_t>> pixels;
  std::vector<std::int32_t> bytes, decode, decoded, resized, filter, window, crop;
  std::vector<float> roi, fill, scale, outside;
};

std::vector<std::uint8_t> OneByOne(Batch* batch, std::int64_t i) {
  const auto k = static_cast<std::size_t>(i);
  std::vector<std::uint8_t> picture(batch->pixels[k].size()), small(6 * 5 * 3), flipped(6 * 5 * 3),
      result(6 * 5 * 3 * sizeof(float));
  const Sample a = SampleOf(&picture, batch->extents[k]), b = SampleOf(&small, kSmall),
               c = SampleOf(&flipped, kSmall), d = SampleOf(&result, kPlanes);
  Check(batch->Decode()->Run(i, batch->Source(i), a).ok(), "decoding");
  Check(batch->Resize()->Run(i, a, b).ok(), "resizing");
  Check(batch->Flip()->Run(i, b, c).ok(), "flipping");
  Check(batch->Normalize()->Run(i, c, d).ok(), "normalising");
  return result;
}

void TestSameBits() {
  // Larger and smaller than what the thread has in hand, and one that it does not keep.
  Batch batch({{9, 7, 3}, {40, 31, 3}, {3, 4, 3}, {2000, 1500, 3}, {11, 64, 3}, {1, 1, 3}});
  const PictureChain chain = batch.Chain();
  const auto check = [&] {
    for (std::int64_t i = 0; i < batch.size(); ++i) {
      std::vector<std::uint8_t> result(6 * 5 * 3 * sizeof(float), 0xee);
      const Sample target = SampleOf(&result, kPlanes);
      Check(chain.IsSound(i, batch.Source(i), target), "extents that fit");
      Check(chain.Run(i, batch.Source(i), target).ok(), "a chain that works");
      Check(result == OneByOne(&batch, i), "the bits of the kernels one by one");
    }
  };
  check();
  std::thread(check).join();
}

void TestFailures() {
  Batch batch({{9, 7, 3}, {9, 7, 3}});
  std::vector<std::uint8_t> result(6 * 5 * 3 * sizeof(float));
  const Sample target = SampleOf(&result, kPlanes);
  batch.bytes[0] -= 1;
  const Status status = batch.Chain().Run(0, batch.Source(0), target);
  Check(status.code() == StatusCode::kShapeMismatch, "the status of the kernel that failed");
  const Row other{4, 6, 5};
  Check(!batch.Chain().IsSound(1, batch.Source(1), SampleOf(&result, other)), "too many channels");
  batch.resized[5] = 4;
  Check(!batch.Chain().IsSound(1, batch.Source(1), target), "channels do not change");
  batch.resized[5] = -3;
  Check(!batch.Chain().IsSound(1, batch.Source(1), target), "a negative extent");
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestSameBits();
  dynjax::TestFailures();
  if (dynjax::failures == 0) std::puts("ok");
  return dynjax::failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
