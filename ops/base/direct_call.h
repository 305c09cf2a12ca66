// Calls a handler without XLA, whose dispatch costs several times the work of most kernels on a
// batch of small samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "xla/ffi/api/c_api.h"

namespace dynjax {

struct Attribute {
  using Value = std::variant<bool, std::int32_t, float, std::string, std::vector<std::int64_t>>;
  std::string name;
  Value value;
};

// An operand or result: dense, row-major, in host memory.
struct DirectBuffer {
  XLA_FFI_DataType type = XLA_FFI_DataType_INVALID;
  void* data = nullptr;
  std::span<const std::int64_t> dims;
};

// A handler and its attributes. The handler must do with its operands: there is no execution
// context, so neither a stream nor scratch memory of XLA's.
class DirectCall {
 public:
  DirectCall(XLA_FFI_Handler* handler, std::vector<Attribute> attributes);
  DirectCall(const DirectCall&) = delete;
  DirectCall& operator=(const DirectCall&) = delete;

  // What the handler refused, or an empty text. Can be called by several threads at once.
  std::string Run(std::span<const DirectBuffer> operands,
                  std::span<const DirectBuffer> results) const;

 private:
  XLA_FFI_Handler* handler_;
  std::vector<Attribute> attributes_;  // sorted by name, as the handler expects them
  // What the call frame's tables point to.
  std::vector<XLA_FFI_ByteSpan> names_, strings_;
  std::vector<XLA_FFI_Scalar> scalars_;
  std::vector<XLA_FFI_Array> arrays_;
  std::vector<XLA_FFI_AttrType> types_;
  std::vector<XLA_FFI_ByteSpan*> name_pointers_;
  std::vector<void*> values_;
};

}  // namespace dynjax
