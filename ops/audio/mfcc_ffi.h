// The XLA handler of cosine transforms.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source f32, extent s32[N, rank], out_extent s32[N, rank], lifters f32[N, 1].
// Result: the coefficients. Attributes: addressed, source_dtype, axis, kind (type 1 to 4),
// normalize.
extern "C" XLA_FFI_Error* MfccHandler(XLA_FFI_CallFrame* call_frame);
