#include "random/threefry_ffi.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/threefry.h"
#include "xla/ffi/api/ffi.h"

namespace dynjax {
namespace {

namespace ffi = xla::ffi;

using Buffer = ffi::Buffer<ffi::U32>;
constexpr std::size_t kMaxRank = 16;

// An operand read along the axes of the result.
struct Operand {
  const std::uint32_t* data = nullptr;
  std::array<std::int64_t, kMaxRank> strides{};

  // Whether `buffer` can be read so.
  bool Set(const Buffer& buffer, ffi::Span<const std::int64_t> shape) {
    const auto dims = buffer.dimensions();
    if (dims.size() != shape.size()) return false;
    data = buffer.typed_data();
    std::int64_t step = 1;
    for (std::size_t a = dims.size(); a-- > 0; step *= dims[a]) {
      if (dims[a] != shape[a] && dims[a] != 1) return false;
      strides[a] = dims[a] == 1 ? 0 : step;
    }
    return true;
  }
};

ffi::Error Threefry(Buffer key_first, Buffer key_second, Buffer counter_first,
                    Buffer counter_second, ffi::Result<Buffer> first, ffi::Result<Buffer> second) {
  const auto shape = first->dimensions();
  std::array<Operand, 4> in;
  if (shape.size() > kMaxRank || second->element_count() != first->element_count() ||
      !in[0].Set(key_first, shape) || !in[1].Set(key_second, shape) ||
      !in[2].Set(counter_first, shape) || !in[3].Set(counter_second, shape)) {
    return ffi::Error::InvalidArgument("threefry: want four u32 of one shape, or of length 1");
  }
  std::array<std::int64_t, kMaxRank> index{};
  const auto count = static_cast<std::int64_t>(first->element_count());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [a, b] = Threefry2x32({*in[0].data, *in[1].data}, {*in[2].data, *in[3].data});
    first->typed_data()[i] = a;
    second->typed_data()[i] = b;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const bool wraps = ++index[axis] == shape[axis];
      for (Operand& o : in) o.data += o.strides[axis] * (wraps ? 1 - shape[axis] : 1);
      if (!wraps) break;
      index[axis] = 0;
    }
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace dynjax

XLA_FFI_DEFINE_HANDLER_SYMBOL(ThreefryHandler, dynjax::Threefry,
                              xla::ffi::Ffi::Bind()
                                  .Arg<xla::ffi::Buffer<xla::ffi::U32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::U32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::U32>>()
                                  .Arg<xla::ffi::Buffer<xla::ffi::U32>>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::U32>>()
                                  .Ret<xla::ffi::Buffer<xla::ffi::U32>>());
