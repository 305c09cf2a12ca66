#include "base/direct_call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

// XLA's headers leave the type open: it belongs to whoever calls the handler.
struct XLA_FFI_Error {
  std::string message;
};

namespace dynjax {
namespace {

XLA_FFI_Error* CreateError(XLA_FFI_Error_Create_Args* args) {
  return new XLA_FFI_Error{args->message};
}
void DestroyError(XLA_FFI_Error_Destroy_Args* args) { delete args->error; }

// What asks for an error's message has another name since version 0.5 of the interface.
template <typename T>
void SetMessageOfError(T& api) {
  if constexpr (requires { api.XLA_FFI_Error_GetDetails; }) {
    api.XLA_FFI_Error_GetDetails = [](auto* args) {
      args->message = args->error->message.c_str();
      args->errc = XLA_FFI_Error_Code_INTERNAL;
    };
  } else {
    api.XLA_FFI_Error_GetMessage = [](auto* args) { args->message = args->error->message.c_str(); };
  }
}

const XLA_FFI_Api& Api() {
  static const XLA_FFI_Api api = [] {
    XLA_FFI_Api made{};
    made.struct_size = XLA_FFI_Api_STRUCT_SIZE;
    made.api_version = {.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE,
                        .extension_start = nullptr,
                        .major_version = XLA_FFI_API_MAJOR,
                        .minor_version = XLA_FFI_API_MINOR};
    made.XLA_FFI_Error_Create = CreateError;
    SetMessageOfError(made);
    made.XLA_FFI_Error_Destroy = DestroyError;
    return made;
  }();
  return api;
}

// More than any kernel takes; an array, so that a call allocates nothing.
constexpr std::size_t kMaxBuffers = 32;

// The buffers of one side of a call in XLA's form.
template <typename Type>
struct Buffers {
  Buffers(std::span<const DirectBuffer> given, Type type) : size(given.size()) {
    for (std::size_t i = 0; i < size; ++i) {
      buffers[i] = {.struct_size = XLA_FFI_Buffer_STRUCT_SIZE,
                    .extension_start = nullptr,
                    .dtype = given[i].type,
                    .data = given[i].data,
                    .rank = static_cast<std::int64_t>(given[i].dims.size()),
                    .dims = const_cast<std::int64_t*>(given[i].dims.data())};
      pointers[i] = &buffers[i];
      types[i] = type;
    }
  }
  std::size_t size;
  std::array<XLA_FFI_Buffer, kMaxBuffers> buffers;
  std::array<void*, kMaxBuffers> pointers;
  std::array<Type, kMaxBuffers> types;
};

}  // namespace

DirectCall::DirectCall(XLA_FFI_Handler* handler, std::vector<Attribute> attributes)
    : handler_(handler), attributes_(std::move(attributes)) {
  std::sort(attributes_.begin(), attributes_.end(),
            [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  const std::size_t count = attributes_.size();
  // Reserved: pointers into these are kept.
  names_.reserve(count);
  strings_.reserve(count);
  scalars_.reserve(count);
  arrays_.reserve(count);
  for (Attribute& attribute : attributes_) {
    names_.push_back({attribute.name.data(), attribute.name.size()});
    name_pointers_.push_back(&names_.back());
    std::visit(
        [this](auto& value) {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, std::string>) {
            strings_.push_back({value.data(), value.size()});
            types_.push_back(XLA_FFI_AttrType_STRING);
            values_.push_back(&strings_.back());
          } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
            arrays_.push_back({XLA_FFI_DataType_S64, value.size(), value.data()});
            types_.push_back(XLA_FFI_AttrType_ARRAY);
            values_.push_back(&arrays_.back());
          } else {
            constexpr auto kType = std::is_same_v<T, bool>    ? XLA_FFI_DataType_PRED
                                   : std::is_same_v<T, float> ? XLA_FFI_DataType_F32
                                                              : XLA_FFI_DataType_S32;
            scalars_.push_back({kType, &value});
            types_.push_back(XLA_FFI_AttrType_SCALAR);
            values_.push_back(&scalars_.back());
          }
        },
        attribute.value);
  }
}

std::string DirectCall::Run(std::span<const DirectBuffer> operands,
                            std::span<const DirectBuffer> results) const {
  if (operands.size() > kMaxBuffers || results.size() > kMaxBuffers) return "too many operands";
  Buffers<XLA_FFI_ArgType> args(operands, XLA_FFI_ArgType_BUFFER);
  Buffers<XLA_FFI_RetType> rets(results, XLA_FFI_RetType_BUFFER);
  XLA_FFI_CallFrame frame{};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.api = &Api();
  frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
  frame.args = {.struct_size = XLA_FFI_Args_STRUCT_SIZE,
                .extension_start = nullptr,
                .size = static_cast<std::int64_t>(args.size),
                .types = args.types.data(),
                .args = args.pointers.data()};
  frame.rets = {.struct_size = XLA_FFI_Rets_STRUCT_SIZE,
                .extension_start = nullptr,
                .size = static_cast<std::int64_t>(rets.size),
                .types = rets.types.data(),
                .rets = rets.pointers.data()};
  frame.attrs = {.struct_size = XLA_FFI_Attrs_STRUCT_SIZE,
                 .extension_start = nullptr,
                 .size = static_cast<std::int64_t>(attributes_.size()),
                 .types = const_cast<XLA_FFI_AttrType*>(types_.data()),
                 .names = const_cast<XLA_FFI_ByteSpan**>(name_pointers_.data()),
                 .attrs = const_cast<void**>(values_.data())};
  const std::unique_ptr<XLA_FFI_Error> error(handler_(&frame));
  return error ? error->message : std::string();
}

}  // namespace dynjax
