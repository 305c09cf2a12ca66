// StridedCopy against its definition, element by element, in buffers without a byte to spare.

#include "movement/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "movement/convert.h"

namespace dynjax {
namespace {

int failures = 0;

void Check(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  ++failures;
}

std::vector<Target> Targets() {
  std::vector<Target> targets{Target::kScalar};
  if (BestTarget() != Target::kScalar) targets.push_back(BestTarget());
  return targets;
}

std::vector<std::int64_t> RowMajor(const std::vector<std::int32_t>& extent) {
  std::vector<std::int64_t> strides(extent.size());
  std::int64_t step = 1;
  for (std::size_t a = extent.size(); a-- > 0; step *= extent[a]) strides[a] = step;
  return strides;
}

std::size_t Volume(const std::vector<std::int32_t>& extent) {
  std::size_t n = 1;
  for (const auto e : extent) n *= static_cast<std::size_t>(e);
  return n;
}

struct Case {
  explicit Case(std::mt19937& random) {
    const auto upto = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int rank = upto(0, 4);
    constexpr std::array<int, 8> kExtents{0, 1, 3, 5, 17, 33, 40, 70};
    for (int a = 0; a < rank; ++a) {
      extent.push_back(a + 1 == rank && upto(0, 1) == 1 ? upto(1, 4)
                                                        : kExtents[random() % kExtents.size()]);
    }
    for (int a = 0; a < rank; ++a) perm.push_back(a);
    if (upto(0, 1) == 1) std::shuffle(perm.begin(), perm.end(), random);
    if (rank > 0 && upto(0, 3) == 0) perm.pop_back();
    const bool moves = upto(0, 3) > 0;
    for (int a = 0; a < rank; ++a) {
      constexpr std::array<int, 8> kSteps{1, 1, 1, -1, -1, 2, -3, 0};
      const std::int32_t in = extent[static_cast<std::size_t>(a)];
      step.push_back(moves ? kSteps[random() % kSteps.size()] : 1);
      anchor.push_back(!moves            ? 0
                       : step.back() < 0 ? upto(in / 2, in + 2)
                                         : upto(-2, std::max(in / 2, 1)));
    }
    for (const int axis : perm) {
      out_extent.push_back(std::max(0, extent[static_cast<std::size_t>(axis)] + upto(-3, 3)));
      if (!moves) out_extent.back() = extent[static_cast<std::size_t>(axis)];
    }
    from = static_cast<Element>(random() % kElements);
    to = upto(0, 1) == 1 ? from : static_cast<Element>(random() % kElements);
    fill = {7};
    if (!perm.empty() && upto(0, 1) == 1) {
      fill_axis = upto(0, static_cast<int>(perm.size()) - 1);
      fill.clear();
      const std::int32_t n = out_extent[static_cast<std::size_t>(fill_axis)];
      for (std::int32_t k = 0; k < std::max(n, 2); ++k) fill.push_back(static_cast<float>(3 + k));
    }
    source.resize(Volume(extent) * Bytes(from));
    // Small numbers, so that every type holds them.
    for (std::size_t i = 0; i < Volume(extent); ++i) {
      const auto value = static_cast<float>(random() % 100);
      ConverterFor(Element::kF32, from, Target::kScalar)(&value, 1, &source[i * Bytes(from)]);
    }
  }

  std::vector<std::byte> Expected() const {
    std::vector<std::byte> out(Volume(out_extent) * Bytes(to));
    const auto strides = RowMajor(extent), out_strides = RowMajor(out_extent);
    for (std::size_t o = 0; o < Volume(out_extent); ++o) {
      std::int64_t at = 0, channel = 0;
      bool inside = true;
      std::vector<bool> kept(extent.size());
      for (std::size_t a = 0; a < perm.size(); ++a) {
        const auto axis = static_cast<std::size_t>(perm[a]);
        kept[axis] = true;
        const auto index = static_cast<std::int64_t>(o) / out_strides[a] % out_extent[a];
        const std::int64_t p = anchor[axis] + step[axis] * index;
        inside = inside && p >= 0 && p < extent[axis];
        at += p * strides[axis];
        if (static_cast<int>(a) == fill_axis) channel = index;
      }
      for (std::size_t axis = 0; axis < extent.size(); ++axis) {
        if (kept[axis]) continue;
        inside = inside && anchor[axis] >= 0 && anchor[axis] < extent[axis];
        at += anchor[axis] * strides[axis];
      }
      std::byte* to_place = &out[o * Bytes(to)];
      if (inside) {
        ConverterFor(from, to, Target::kScalar)(&source[static_cast<std::size_t>(at) * Bytes(from)],
                                                1, to_place);
      } else {
        const float value = fill[fill.size() > 1 ? static_cast<std::size_t>(channel) : 0];
        ConverterFor(Element::kF32, to, Target::kScalar)(&value, 1, to_place);
      }
    }
    return out;
  }

  std::vector<std::byte> Computed(Target target) {
    std::vector<std::byte> out(Volume(out_extent) * Bytes(to));
    const auto strides = RowMajor(extent), out_strides = RowMajor(out_extent);
    StridedCopy({source.data(), from, extent, strides}, {out.data(), to, out_extent, out_strides},
                {perm, anchor, step, fill, fill_axis}, target);
    return out;
  }

  std::string Name() const {
    // Appending: GCC 12 warns wrongly of overlap in `"..." + std::string()`.
    std::string name = "types ";
    name.append(std::to_string(static_cast<int>(from))).append(" ");
    name.append(std::to_string(static_cast<int>(to)));
    for (const auto e : extent) name.append(" ").append(std::to_string(e));
    name += " ->";
    for (std::size_t a = 0; a < perm.size(); ++a) {
      name.append(" ").append(std::to_string(perm[a]));
      name.append(":").append(std::to_string(out_extent[a]));
    }
    for (std::size_t a = 0; a < extent.size(); ++a) {
      name.append(" (").append(std::to_string(anchor[a]));
      name.append(" ").append(std::to_string(step[a])).append(")");
    }
    return name;
  }

  std::vector<std::int32_t> extent, out_extent;
  std::vector<int> perm;
  std::vector<std::int64_t> anchor, step;
  std::vector<float> fill;
  int fill_axis = -1;
  Element from, to;
  std::vector<std::byte> source;
};

void TestRandomWindows() {
  std::mt19937 random(1);
  for (int k = 0; k < 1000; ++k) {
    Case c(random);
    const auto expected = c.Expected();
    for (const Target target : Targets()) {
      Check(c.Computed(target) == expected, "window " + c.Name());
    }
  }
}

// Offsets beyond 32 bits: a frame of a sample of more than 4 GiB, none of which is touched but the
// piece that is copied.
void TestLargeOffsets() {
  constexpr std::int64_t kFrame = 1LL << 30, kFrames = 5;
  auto* large = static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(kFrame * kFrames)));
  if (large == nullptr) return;
  std::memset(large + 4 * kFrame + 17, 42, 5);
  const std::array<std::int32_t, 2> extent{kFrames, static_cast<std::int32_t>(kFrame)};
  const std::array<std::int64_t, 2> strides{kFrame, 1}, anchor{4, 17}, step{1, 1};
  const std::array<std::int32_t, 2> out_extent{1, 5};
  const std::array<std::int64_t, 2> out_strides{5, 1};
  const std::array<int, 2> perm{0, 1};
  std::array<std::byte, 5> out{};
  StridedCopy({large, Element::kU8, extent, strides},
              {out.data(), Element::kU8, out_extent, out_strides}, {perm, anchor, step, {}, -1});
  for (const auto byte : out) Check(byte == std::byte{42}, "large offset");
  std::free(large);
}

// All pairs of types on all targets agree to the bit, for values that need rounding and clamping.
void TestConversions() {
  const std::vector<float> values{0.0f,   0.5f,   -0.5f,  0.49999997f, 1.5f,   2.5f,    -1.5f,
                                  127.5f, 255.5f, 300.0f, -300.0f,     7e4f,   -7e4f,   3e9f,
                                  -3e9f,  1e19f,  -1e19f, 1e30f,       -1e30f, 3.25e-5f};
  for (std::size_t s = 0; s < kElements; ++s) {
    const auto from = static_cast<Element>(s);
    // Repeated, so that vectors and what is left after them both occur.
    std::vector<std::byte> source(values.size() * 5 * Bytes(from));
    for (int k = 0; k < 5; ++k) {
      ConverterFor(Element::kF32, from, Target::kScalar)(
          values.data(), static_cast<std::int64_t>(values.size()),
          &source[static_cast<std::size_t>(k) * values.size() * Bytes(from)]);
    }
    for (std::size_t t = 0; t < kElements; ++t) {
      const auto to = static_cast<Element>(t);
      const auto n = static_cast<std::int64_t>(values.size() * 5);
      std::vector<std::byte> expected(static_cast<std::size_t>(n) * Bytes(to)), got(expected);
      ConverterFor(from, to, Target::kScalar)(source.data(), n, expected.data());
      ConverterFor(from, to, BestTarget())(source.data(), n, got.data());
      Check(expected == got, "conversion " + std::to_string(s) + " to " + std::to_string(t));
    }
  }
  const auto byte = [](float x) {
    std::uint8_t out = 0;
    ConverterFor(Element::kF32, Element::kU8, BestTarget())(&x, 1, &out);
    return out;
  };
  Check(byte(2.5f) == 3 && byte(0.49999997f) == 0 && byte(254.5f) == 255 && byte(-3) == 0,
        "rounding to bytes");
}

}  // namespace
}  // namespace dynjax

int main() {
  dynjax::TestRandomWindows();
  dynjax::TestLargeOffsets();
  dynjax::TestConversions();
  if (dynjax::failures > 0) std::fprintf(stderr, "%d failures\n", dynjax::failures);
  return dynjax::failures > 0 ? 1 : 0;
}
