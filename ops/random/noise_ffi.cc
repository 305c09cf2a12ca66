#include "random/noise_ffi.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/one_input.h"
#include "base/samples.h"
#include "movement/convert.h"
#include "movement/element_ffi.h"
#include "movement/parts.h"
#include "random/element_runs.h"
#include "random/noise_rows.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// What an element costs, in copied bytes.
constexpr std::int64_t kCost = 16;
// Elements that are worked on at once.
constexpr std::int64_t kBlock = 512;

// What the kinds of noise have in common.
struct NoiseCall {
  static std::optional<NoiseCall> Of(bool addressed, std::int32_t source_dtype,
                                     const ffi::AnyBuffer& source,
                                     const ffi::Buffer<ffi::S32>& extent,
                                     const ffi::Buffer<ffi::S32>& out_extent,
                                     const ffi::Buffer<ffi::U32>& keys,
                                     const ffi::Buffer<ffi::F32>& parameters, std::size_t columns,
                                     const ffi::AnyBuffer& result) {
    auto from = Samples::Source(addressed, source, extent);
    auto to = Samples::Of(result, out_extent);
    const auto given = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
    const auto type = ElementOf(result.element_type());
    if (!from || !to || !type || given != result.element_type() || from->size() != to->size()) {
      return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(to->size());
    if (keys.element_count() != 2 * count || parameters.element_count() != columns * count) {
      return std::nullopt;
    }
    for (std::int64_t i = 0; i < to->size(); ++i) {
      const auto &a = (*from)[i].extent, &b = (*to)[i].extent;
      if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
    }
    return NoiseCall{*std::move(from),  *std::move(to),          *type,
                     keys.typed_data(), parameters.typed_data(), columns};
  }

  // Runs `body(key, parameters, source, target, grid)` for parts that make up all samples.
  template <typename Body>
  void ForEach(const Body& body) const {
    ForEachPart(target, kCost, [&](const Part& part) {
      const auto i = static_cast<std::size_t>(part.sample);
      const Sample &from = source[part.sample], &to = target[part.sample];
      body(Words{keys[2 * i], keys[2 * i + 1]}, parameters + columns * i, from.data, to.data,
           Grid::Of(from, to, part));
      if (part.begin == 0) target.ZeroPadding(part.sample);
    });
  }

  // As ForEach, for noise that `add(key, parameters, start, n, values)` puts on float32 values.
  template <typename Add>
  void OnFloats(const Add& add) const {
    const ConvertRow load = ConverterFor(type, Element::kF32, BestTarget());
    const ConvertRow store = ConverterFor(Element::kF32, type, BestTarget());
    const auto item = static_cast<std::int64_t>(Bytes(type));
    ForEach(
        [&](Words key, const float* row, const std::byte* from, std::byte* to, const Grid& grid) {
          ForEachElementRun(grid, [&](const ElementRun& run) {
            std::array<float, kBlock> block;
            for (std::int64_t done = 0; done < run.size; done += kBlock) {
              const std::int64_t n = std::min(kBlock, run.size - done);
              load(from + (run.from + done) * item, n, block.data());
              add(key, row, run.number + static_cast<std::uint32_t>(done), n, block.data());
              store(block.data(), n, to + (run.to + done) * item);
            }
          });
        });
  }

  Samples source, target;
  Element type;
  const std::uint32_t* keys;
  const float* parameters;
  std::size_t columns;
};

ffi::Error Wrong(const char* kernel) {
  return ffi::Error::InvalidArgument(
      std::string(kernel) +
      ": want source, s32[n, rank] twice, keys u32[n, 2], parameters f32[n, k] -> a result of the "
      "source's type and extents");
}

ffi::Error GaussianNoiseBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                              ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                              ffi::Buffer<ffi::U32> keys, ffi::Buffer<ffi::F32> parameters,
                              ffi::Result<ffi::AnyBuffer> result, bool addressed,
                              std::int32_t source_dtype) {
  const auto call = NoiseCall::Of(addressed, source_dtype, source, extent, out_extent, keys,
                                  parameters, 2, *result);
  if (!call) return Wrong("gaussian_noise");
  const NoiseRows& rows = NoiseRowsFor(BestTarget());
  call->OnFloats([&](Words key, const float* row, std::uint32_t start, std::int64_t n, float* x) {
    rows.gaussian(key, start, n, row[0], row[1], x);
  });
  return ffi::Error::Success();
}

ffi::Error ShotNoiseBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                          ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                          ffi::Buffer<ffi::U32> keys, ffi::Buffer<ffi::F32> parameters,
                          ffi::Result<ffi::AnyBuffer> result, bool addressed,
                          std::int32_t source_dtype) {
  const auto call = NoiseCall::Of(addressed, source_dtype, source, extent, out_extent, keys,
                                  parameters, 1, *result);
  if (!call) return Wrong("shot_noise");
  const NoiseRows& rows = NoiseRowsFor(BestTarget());
  call->OnFloats([&](Words key, const float* factor, std::uint32_t start, std::int64_t n,
                     float* x) { rows.shot(key, start, n, *factor, x); });
  return ffi::Error::Success();
}

// What replaces elements, in their type.
struct Replacements {
  using Bits = std::array<std::byte, 8>;

  // Parameters: probability, share of salt, salt, pepper.
  static Replacements Of(Element type, const float* row, bool default_salt, bool default_pepper) {
    const ConvertRow convert = ConverterFor(Element::kF32, type, Target::kScalar);
    // Infinity becomes the extreme of an integer type.
    const float extreme = type == Element::kF32 ? 1.0f : std::numeric_limits<float>::infinity();
    const float high = default_salt ? extreme : row[2];
    const float low = default_pepper ? -extreme : row[3];
    Replacements out{row[0], row[1], {}, {}};
    convert(&high, 1, out.salt.data());
    convert(&low, 1, out.pepper.data());
    return out;
  }

  float probability, salt_share;
  alignas(8) Bits salt, pepper;
};

// Elements that are replaced together: one for each position along the axis that was taken out of
// the grid.
void ReplaceGroups(const NoiseRows& rows, Words key, const Replacements& with, std::int64_t item,
                   const Grid& grid, const Grid::Axis& group, const std::byte* from,
                   std::byte* to) {
  const auto replace =
      rows.replace[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(item)) - 1)];
  const std::int64_t size = group.end - group.begin;
  const Grid::Axis inner = grid.rank > 0 ? grid.axes[grid.rank - 1] : Grid::Axis{1, 0, 1, 0, 0};
  // Groups that lie one after the other are one row, in which each kind is repeated.
  const bool joined = size <= kBlock && inner.from == size && inner.to == size &&
                      (size == 1 || (group.from == 1 && group.to == 1));
  const bool apart = inner.from != 1 || inner.to != 1;
  const std::int64_t most = joined ? kBlock / size : kBlock;
  ForEachElementRun(grid, [&](const ElementRun& run) {
    std::array<std::uint8_t, kBlock> kinds, repeated;
    for (std::int64_t done = 0; done < run.size; done += most) {
      const std::int64_t n = std::min(most, run.size - done);
      rows.salt_and_pepper(key, run.number + static_cast<std::uint32_t>(done), n, with.probability,
                           with.salt_share, kinds.data());
      const auto put = [&](const std::uint8_t* which, std::int64_t count, std::int64_t first,
                           std::int64_t position) {
        const std::int64_t at = run.from + first * inner.from + position * group.from;
        const std::int64_t out = run.to + first * inner.to + position * group.to;
        replace(which, count, from + at * item, with.salt.data(), with.pepper.data(),
                to + out * item);
      };
      if (joined) {
        for (std::int64_t c = 0; c < size; ++c) {
          for (std::int64_t i = 0; i < n; ++i) {
            repeated[static_cast<std::size_t>(i * size + c)] = kinds[static_cast<std::size_t>(i)];
          }
        }
        put(repeated.data(), n * size, done, group.begin);
      } else {
        const std::int64_t step = apart ? 1 : n;
        for (std::int64_t c = group.begin; c < group.end; ++c) {
          for (std::int64_t i = 0; i < n; i += step) {
            put(kinds.data() + i, step, done + i, c);
          }
        }
      }
    }
  });
}

ffi::Error SaltAndPepperBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                              ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                              ffi::Buffer<ffi::U32> keys, ffi::Buffer<ffi::F32> parameters,
                              ffi::Result<ffi::AnyBuffer> result, bool addressed,
                              std::int32_t source_dtype, std::int32_t together, bool default_salt,
                              bool default_pepper) {
  const auto call = NoiseCall::Of(addressed, source_dtype, source, extent, out_extent, keys,
                                  parameters, 4, *result);
  if (!call || together >= static_cast<std::int32_t>(call->target.rank())) {
    return Wrong("salt_and_pepper");
  }
  const NoiseRows& rows = NoiseRowsFor(BestTarget());
  const auto item = static_cast<std::int64_t>(Bytes(call->type));
  call->ForEach([&](Words key, const float* row, const std::byte* from, std::byte* to, Grid grid) {
    Grid::Axis group{1, 0, 1, 0, 0};
    if (together >= 0) group = grid.Without(static_cast<std::size_t>(together));
    ReplaceGroups(rows, key, Replacements::Of(call->type, row, default_salt, default_pepper), item,
                  grid, group, from, to);
  });
  return ffi::Error::Success();
}

auto Binding() {
  return OneInput()
      .Arg<ffi::Buffer<ffi::U32>>()  // keys
      .Arg<ffi::Buffer<ffi::F32>>()  // parameters
      .Ret<ffi::AnyBuffer>()
      .Attr<bool>("addressed")
      .Attr<std::int32_t>("source_dtype");
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(GaussianNoiseHandler, dynjax::GaussianNoiseBatch, dynjax::Binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(ShotNoiseHandler, dynjax::ShotNoiseBatch, dynjax::Binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(SaltAndPepperHandler, dynjax::SaltAndPepperBatch,
                              dynjax::Binding()
                                  .Attr<std::int32_t>("together")
                                  .Attr<bool>("default_salt")
                                  .Attr<bool>("default_pepper"));
