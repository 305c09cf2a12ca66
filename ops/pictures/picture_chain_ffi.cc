#include "pictures/picture_chain_ffi.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/one_input.h"
#include "base/pixel_ffi.h"
#include "base/samples.h"
#include "decoders/decode_stage.h"
#include "decoders/failure.h"
#include "decoders/pixel_dtype.h"
#include "movement/element_ffi.h"
#include "movement/window_stage.h"
#include "normalise/normalize_stage.h"
#include "pictures/picture_chain.h"
#include "resize/resample_stage.h"
#include "warp/warp_stage.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// Pictures have three axes, and so have all that becomes of them here.
constexpr std::size_t kRank = 3;

// The attributes and tables of one kernel, taken one after another. What is missing or of another
// type is noted, and reads as nothing.
class Parameters {
 public:
  Parameters(const ffi::Dictionary& attributes, const ffi::RemainingArgs& operands)
      : attributes_(attributes), operands_(operands) {}

  void BeginStage(std::size_t number) { prefix_ = std::to_string(number) + "_"; }

  template <typename T>
  T Attribute(std::string_view name) {
    const auto found = attributes_.get<T>(prefix_ + std::string(name));
    if (found.has_value()) return *found;
    complete_ = false;
    return T();
  }
  std::vector<int> Axes(std::string_view name) {
    const auto axes = Attribute<ffi::Span<const std::int64_t>>(name);
    return {axes.begin(), axes.end()};
  }
  template <ffi::DataType kType>
  std::span<const ffi::NativeType<kType>> Table() {
    const auto found = operands_.get<ffi::Buffer<kType>>(next_++);
    if (found.has_value()) return {found->typed_data(), found->element_count()};
    complete_ = false;
    return {};
  }

  bool complete() const { return complete_; }
  bool exhausted() const { return next_ == operands_.size(); }

 private:
  const ffi::Dictionary& attributes_;
  const ffi::RemainingArgs& operands_;
  std::string prefix_;
  std::size_t next_ = 0;
  bool complete_ = true;
};

// What one kernel of the chain reads and writes.
struct Types {
  ffi::DataType source, target;
};

using Made = std::pair<std::unique_ptr<const Stage>, const char*>;  // or why there is none

Made MakeDecode(Parameters* p, const Types& types, std::int64_t count) {
  const auto target = PixelTypeOf(types.target);
  DecodeParameters own{.target = target.value_or(PixelType::kU8),
                       .output_type = p->Attribute<std::int32_t>("output_type"),
                       .adjust_orientation = p->Attribute<bool>("adjust_orientation"),
                       .scale = p->Attribute<std::int32_t>("scale"),
                       .table = p->Table<ffi::S32>()};
  if (!target || types.source != ffi::U8) return {nullptr, "decode: unknown element type"};
  auto stage = std::make_unique<DecodeStage>(own, count);
  const char* fault = stage->Fault();
  return {std::move(stage), fault};
}

Made MakeResample(Parameters* p, const Types& types, std::int64_t count) {
  const auto source = PixelOf(types.source), target = PixelOf(types.target);
  ResampleParameters own{.source = source.value_or(Pixel::kU8),
                         .target = target.value_or(Pixel::kU8),
                         .axes = p->Axes("axes"),
                         .roi = p->Table<ffi::F32>(),
                         .filter = p->Table<ffi::S32>(),
                         .antialias = p->Attribute<bool>("antialias"),
                         .border = p->Attribute<std::int32_t>("border")};
  if (!source || !target) return {nullptr, "resample: unknown element type"};
  auto stage = std::make_unique<ResampleStage>(std::move(own));
  const char* fault = stage->Fault(count, kRank);
  return {std::move(stage), fault};
}

Made MakeNormalize(Parameters* p, const Types& types, std::int64_t count) {
  const auto source = PixelOf(types.source), target = PixelOf(types.target);
  NormalizeParameters own{.source = source.value_or(Pixel::kU8),
                          .target = target.value_or(Pixel::kU8),
                          .axes = p->Axes("axes"),
                          .perm = p->Axes("perm"),
                          .channel_axis = p->Attribute<std::int32_t>("channel_axis"),
                          .mirror_axis = p->Attribute<std::int32_t>("mirror_axis"),
                          .window = p->Table<ffi::S32>(),
                          .scale = p->Table<ffi::F32>(),
                          .fill = p->Table<ffi::F32>()};
  if (!source || !target) return {nullptr, "crop_mirror_normalize: unknown element type"};
  auto stage = std::make_unique<NormalizeStage>(std::move(own), count);
  const char* fault = stage->Fault(kRank);
  return {std::move(stage), fault};
}

Made MakeWindow(Parameters* p, const Types& types, std::int64_t count) {
  const auto source = ElementOf(types.source), target = ElementOf(types.target);
  WindowParameters own{.source = source.value_or(Element::kU8),
                       .target = target.value_or(Element::kU8),
                       .axes = p->Axes("axes"),
                       .perm = p->Axes("perm"),
                       .table = p->Table<ffi::S32>(),
                       .fill = p->Table<ffi::F32>(),
                       .fill_axis = p->Attribute<std::int32_t>("fill_axis")};
  if (!source || !target || own.perm.size() != kRank) {
    return {nullptr, "strided_copy: unknown element type, or another number of axes"};
  }
  auto stage = std::make_unique<WindowStage>(std::move(own), count);
  const char* fault = stage->Fault(kRank);
  return {std::move(stage), fault};
}

Made MakeWarp(Parameters* p, const Types& types, std::int64_t count) {
  const auto source = PixelOf(types.source), target = PixelOf(types.target);
  const auto axes = p->Axes("axes");
  WarpParameters own{.source = source.value_or(Pixel::kU8),
                     .target = target.value_or(Pixel::kU8),
                     .axes = {axes.begin(), axes.end()},
                     .interp = p->Attribute<std::int32_t>("interp"),
                     .border = p->Attribute<std::int32_t>("border"),
                     .perspective = p->Attribute<bool>("perspective"),
                     .channel_first = p->Attribute<bool>("channel_first"),
                     .maps = p->Table<ffi::F32>(),
                     .fill = p->Table<ffi::F32>()};
  if (!source || !target) return {nullptr, "warp: unknown element type"};
  auto stage = std::make_unique<WarpStage>(own, count, kRank);
  const char* fault = stage->Fault();
  return {std::move(stage), fault};
}

using Maker = Made (*)(Parameters*, const Types&, std::int64_t);

Maker MakerOf(std::string_view kernel) {
  if (kernel == "decode") return MakeDecode;
  if (kernel == "resample") return MakeResample;
  if (kernel == "crop_mirror_normalize") return MakeNormalize;
  if (kernel == "strided_copy") return MakeWindow;
  if (kernel == "warp") return MakeWarp;
  return nullptr;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return words;
}

ffi::Error Wrong(const std::string& what) {
  return ffi::Error::InvalidArgument("picture_chain: " + what);
}

// What is wrong with the first sample of which something is, from the table of statuses.
ffi::Error FirstFault(std::string_view caller, const ffi::Buffer<ffi::S32>& status,
                      std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto code = static_cast<StatusCode>(status.typed_data()[2 * i]);
    if (code == StatusCode::kOk) continue;
    return ffi::Error::InvalidArgument(std::string(caller) + ": sample " + std::to_string(i) +
                                       ": " + WhyNotDecoded(code) + ".");
  }
  return ffi::Error::Success();
}

ffi::Error RunChain(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source, ffi::Buffer<ffi::S32> extent,
                    ffi::Buffer<ffi::S32> out_extent, ffi::RemainingArgs operands,
                    ffi::Result<ffi::AnyBuffer> result, ffi::ResultBuffer<ffi::S32> status,
                    ffi::Dictionary attributes) {
  const auto addressed = attributes.get<bool>("addressed");
  const auto names = attributes.get<std::string_view>("stages");
  const auto types = attributes.get<ffi::Span<const std::int64_t>>("types");
  const auto source_dtype = attributes.get<std::int32_t>("source_dtype");
  if (!addressed.has_value() || !names.has_value() || !types.has_value() ||
      !source_dtype.has_value()) {
    return Wrong("want addressed, source_dtype, stages, types");
  }
  const auto from = Samples::Source(*addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  if (!from || !to || from->size() != to->size() || from->rank() != 1 || to->rank() != kRank ||
      static_cast<std::int64_t>(status->element_count()) != 2 * to->size()) {
    return Wrong("the extents do not fit their buffers");
  }
  const auto stages = Words(*names);
  if (stages.empty() || stages.front() != "decode" || types->size() != stages.size() ||
      static_cast<ffi::DataType>((*types)[stages.size() - 1]) != result->element_type()) {
    return Wrong("want a type for each stage, the first of which decodes");
  }
  Parameters parameters(attributes, operands);
  std::vector<Link> links;
  ffi::DataType before =
      *addressed ? static_cast<ffi::DataType>(*source_dtype) : source.element_type();
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const Maker maker = MakerOf(stages[k]);
    const auto after = static_cast<ffi::DataType>((*types)[k]);
    if (maker == nullptr || (k > 0 && maker == MakeDecode)) return Wrong("unknown stage");
    parameters.BeginStage(k);
    auto [stage, fault] = maker(&parameters, {before, after}, to->size());
    if (fault != nullptr) return Wrong(fault);
    Link link{.stage = std::move(stage),
              .extents = {},
              .rank = kRank,
              .item_bytes = ffi::ByteWidth(after)};
    if (k + 1 < stages.size()) link.extents = parameters.Table<ffi::S32>();
    const std::size_t wanted =
        k + 1 < stages.size() ? static_cast<std::size_t>(to->size()) * kRank : 0;
    if (!parameters.complete() || link.extents.size() != wanted) {
      return Wrong("an attribute or a table of a stage is missing");
    }
    links.push_back(std::move(link));
    before = after;
  }
  if (!parameters.exhausted()) return Wrong("too many tables");
  const PictureChain chain(std::move(links));
  for (std::int64_t i = 0; i < to->size(); ++i) {
    if (!chain.IsSound(i, (*from)[i], (*to)[i])) return Wrong("the extents do not fit");
  }
  // The largest files first: decoding them takes longest.
  ForEachSample(*from, 256, [&](std::int64_t i) {
    const Status outcome = chain.Run(i, (*from)[i], (*to)[i]);
    to->ZeroPadding(i);
    status->typed_data()[2 * i] = static_cast<std::int32_t>(outcome.code());
    status->typed_data()[2 * i + 1] = outcome.detail();
  });
  const auto caller = attributes.get<std::string_view>("caller");
  return caller.has_value() ? FirstFault(*caller, *status, to->size()) : ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(PictureChainHandler, dynjax::RunChain,
                              dynjax::OneInput()
                                  .RemainingArgs()
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::S32>>()
                                  .Attrs());
