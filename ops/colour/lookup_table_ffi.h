// The XLA handler of LookUp.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source (integers), extent s32[N, rank], out_extent s32[N, rank], table [k + 1] of
// the result's type: the values of 0 to k - 1, and that of all other numbers. Result: the samples.
// Attributes: addressed, source_dtype.
extern "C" XLA_FFI_Error* LookupTableHandler(XLA_FFI_CallFrame* call_frame);
