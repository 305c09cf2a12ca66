#include "random/draws_ffi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/samples.h"
#include "movement/convert.h"
#include "movement/element_ffi.h"
#include "movement/parts.h"
#include "random/draw_rows.h"
#include "random/element_runs.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// What an element costs, in copied bytes.
constexpr std::int64_t kCost = 5;
// Numbers that are drawn as float32 before they are converted.
constexpr std::int64_t kBlock = 512;

// One run of elements that lie side by side.
struct Run {
  std::uint32_t start;
  std::int64_t size;
  std::byte* out;
};

// What all distributions have in common.
struct Draws {
  static std::optional<Draws> Of(ffi::RemainingArgs operands, ffi::AnyBuffer result,
                                 std::size_t columns) {
    if (operands.size() != 3 && operands.size() != 5) return std::nullopt;
    const std::size_t first = operands.size() - 3;
    const auto extent = operands.get<ffi::Buffer<ffi::S32>>(first);
    const auto keys = operands.get<ffi::Buffer<ffi::U32>>(first + 1);
    const auto parameters = operands.get<ffi::Buffer<ffi::F32>>(first + 2);
    const auto type = ElementOf(result.element_type());
    if (!extent.has_value() || !keys.has_value() || !parameters.has_value() || !type) {
      return std::nullopt;
    }
    auto to = Samples::Of(result, *extent);
    const auto count = to ? static_cast<std::size_t>(to->size()) : 0;
    if (!to || keys->element_count() != 2 * count ||
        parameters->element_count() != columns * count) {
      return std::nullopt;
    }
    return Draws{std::move(*to), *type, keys->typed_data(), parameters->typed_data(), columns};
  }

  // Runs `body(key, parameters, run)` for all elements.
  template <typename Body>
  void ForEach(const Body& body) const {
    ForEachPart(to, kCost, [&](const Part& part) {
      const auto i = static_cast<std::size_t>(part.sample);
      const Words key{keys[2 * i], keys[2 * i + 1]};
      const Sample& sample = to[part.sample];
      const auto item = static_cast<std::int64_t>(Bytes(type));
      ForEachElementRun(Grid::Of(sample, sample, part), [&](const ElementRun& run) {
        body(key, parameters + columns * i, Run{run.number, run.size, sample.data + run.to * item});
      });
      if (part.begin == 0) to.ZeroPadding(part.sample);
    });
  }

  // As ForEach, for numbers that `draw(key, parameters, start, n, out)` makes in float32.
  template <typename Draw>
  void Convert(const Draw& draw) const {
    const ConvertRow convert = ConverterFor(Element::kF32, type, BestTarget());
    ForEach([&](Words key, const float* row, const Run& run) {
      if (type == Element::kF32) {
        draw(key, row, run.start, run.size, reinterpret_cast<float*>(run.out));
        return;
      }
      std::array<float, kBlock> block;
      for (std::int64_t done = 0; done < run.size; done += kBlock) {
        const std::int64_t n = std::min(kBlock, run.size - done);
        draw(key, row, run.start + static_cast<std::uint32_t>(done), n, block.data());
        convert(block.data(), n, run.out + done * static_cast<std::int64_t>(Bytes(type)));
      }
    });
  }

  Samples to;
  Element type;
  const std::uint32_t* keys;
  const float* parameters;
  std::size_t columns;
};

ffi::Error Wrong(const char* kernel) {
  return ffi::Error::InvalidArgument(
      std::string(kernel) +
      ": want extents s32[n, rank], keys u32[n, 2], parameters f32[n, k] -> samples");
}

ffi::Error UniformBatch(ffi::AnyBuffer /*into*/, ffi::RemainingArgs operands,
                        ffi::Result<ffi::AnyBuffer> result, bool /*addressed*/,
                        std::int32_t /*source_dtype*/) {
  const auto call = Draws::Of(operands, *result, 2);
  if (!call) return Wrong("uniform");
  const DrawRows& rows = DrawRowsFor(BestTarget());
  if (call->type == Element::kF64) {
    call->ForEach([&](Words key, const float* range, const Run& run) {
      rows.range_double(key, run.start, run.size, range[0], range[1],
                        reinterpret_cast<double*>(run.out));
    });
  } else {
    call->Convert([&](Words key, const float* range, std::uint32_t start, std::int64_t n,
                      float* out) { rows.range(key, start, n, range[0], range[1], out); });
  }
  return ffi::Error::Success();
}

ffi::Error NormalBatch(ffi::AnyBuffer /*into*/, ffi::RemainingArgs operands,
                       ffi::Result<ffi::AnyBuffer> result, bool /*addressed*/,
                       std::int32_t /*source_dtype*/) {
  const auto call = Draws::Of(operands, *result, 2);
  if (!call) return Wrong("normal");
  const DrawRows& rows = DrawRowsFor(BestTarget());
  call->Convert([&](Words key, const float* row, std::uint32_t start, std::int64_t n, float* out) {
    rows.normal(key, start, n, row[0], row[1], out);
  });
  return ffi::Error::Success();
}

ffi::Error BetaBatch(ffi::AnyBuffer /*into*/, ffi::RemainingArgs operands,
                     ffi::Result<ffi::AnyBuffer> result, bool /*addressed*/,
                     std::int32_t /*source_dtype*/) {
  const auto call = Draws::Of(operands, *result, 2);
  if (!call) return Wrong("beta");
  const DrawRows& rows = DrawRowsFor(BestTarget());
  call->Convert([&](Words key, const float* row, std::uint32_t start, std::int64_t n, float* out) {
    rows.beta(key, start, n, row[0], row[1], out);
  });
  return ffi::Error::Success();
}

ffi::Error CoinFlipBatch(ffi::AnyBuffer /*into*/, ffi::RemainingArgs operands,
                         ffi::Result<ffi::AnyBuffer> result, bool /*addressed*/,
                         std::int32_t /*source_dtype*/) {
  const auto call = Draws::Of(operands, *result, 1);
  if (!call) return Wrong("coin_flip");
  const DrawRows& rows = DrawRowsFor(BestTarget());
  call->Convert([&](Words key, const float* probability, std::uint32_t start, std::int64_t n,
                    float* out) { rows.flip(key, start, n, *probability, out); });
  return ffi::Error::Success();
}

auto Binding() {
  return ffi::Ffi::Bind()
      .Arg<ffi::AnyBuffer>()  // into
      .RemainingArgs()
      .Ret<ffi::AnyBuffer>()
      .Attr<bool>("addressed")
      .Attr<std::int32_t>("source_dtype");
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(UniformHandler, dynjax::UniformBatch, dynjax::Binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(NormalHandler, dynjax::NormalBatch, dynjax::Binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(BetaHandler, dynjax::BetaBatch, dynjax::Binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(CoinFlipHandler, dynjax::CoinFlipBatch, dynjax::Binding());
