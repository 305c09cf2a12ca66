// The XLA handler of Empty: a result whose content is left as the allocator gave it.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operand: any array, which only says where the program runs. Result: uninitialised.
extern "C" XLA_FFI_Error* EmptyHandler(XLA_FFI_CallFrame* call_frame);
