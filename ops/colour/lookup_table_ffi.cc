#include "colour/lookup_table_ffi.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/one_input.h"
#include "base/runs.h"
#include "base/samples.h"
#include "colour/lookup_table.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

// The same for all samples of a call. Values are moved, not computed with: their width is enough.
struct Call {
  const Samples& source;
  const Samples& target;
  const void* table;
  std::int64_t known;

  template <typename In, typename Out>
  void Run() const {
    ForEachSample(target, 4, [&](std::int64_t i) {
      const Sample &from = source[i], &to = target[i];
      ForEachRun(from, to, from.extent.size(), 1, 1,
                 [&](std::int64_t at, std::int64_t out, std::int64_t n) {
                   LookUp(from.as<const In>() + at, n, static_cast<const Out*>(table), known,
                          to.as<Out>() + out);
                 });
      target.ZeroPadding(i);
    });
  }

  // False for a width that no type has.
  template <typename In>
  bool RunTo(std::size_t bytes) const {
    switch (bytes) {
      case 1:
        return Run<In, std::uint8_t>(), true;
      case 2:
        return Run<In, std::uint16_t>(), true;
      case 4:
        return Run<In, std::uint32_t>(), true;
      case 8:
        return Run<In, std::uint64_t>(), true;
      default:
        return false;
    }
  }

  bool RunFrom(ffi::DataType type, std::size_t bytes) const {
    switch (type) {
      case ffi::U8:
        return RunTo<std::uint8_t>(bytes);
      case ffi::S8:
        return RunTo<std::int8_t>(bytes);
      case ffi::U16:
        return RunTo<std::uint16_t>(bytes);
      case ffi::S16:
        return RunTo<std::int16_t>(bytes);
      case ffi::U32:
        return RunTo<std::uint32_t>(bytes);
      case ffi::S32:
        return RunTo<std::int32_t>(bytes);
      case ffi::U64:
        return RunTo<std::uint64_t>(bytes);
      case ffi::S64:
        return RunTo<std::int64_t>(bytes);
      default:
        return false;
    }
  }
};

ffi::Error LookupTableBatch(ffi::AnyBuffer /*into*/, ffi::AnyBuffer source,
                            ffi::Buffer<ffi::S32> extent, ffi::Buffer<ffi::S32> out_extent,
                            ffi::AnyBuffer table, ffi::Result<ffi::AnyBuffer> result,
                            bool addressed, std::int32_t source_dtype) {
  const auto from = Samples::Source(addressed, source, extent);
  const auto to = Samples::Of(*result, out_extent);
  const auto type = addressed ? static_cast<ffi::DataType>(source_dtype) : source.element_type();
  bool fits = from && to && from->size() == to->size() && table.element_count() > 0 &&
              table.element_type() == result->element_type();
  for (std::int64_t i = 0; fits && i < from->size(); ++i) {
    fits = std::ranges::equal((*from)[i].extent, (*to)[i].extent);
  }
  if (!fits) return ffi::Error::InvalidArgument("lookup_table: operands do not fit each other");
  const Call call{*from, *to, table.untyped_data(),
                  static_cast<std::int64_t>(table.element_count()) - 1};
  if (!call.RunFrom(type, ffi::ByteWidth(result->element_type()))) {
    return ffi::Error::InvalidArgument("lookup_table: want integers");
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(LookupTableHandler, dynjax::LookupTableBatch,
                              dynjax::OneInput()
                                  .Arg<xla::ffi::AnyBuffer>()  // table
                                  .Ret<xla::ffi::AnyBuffer>()
                                  .Attr<bool>("addressed")
                                  .Attr<std::int32_t>("source_dtype"));
