// The XLA handler of the logarithmic scale.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source f32, extent s32[N, rank], out_extent (the same), scales f32[N, 3]: the
// multiplier, the reference (0: the largest element of each sample) and the least ratio. Result:
// the samples. Attributes: addressed, source_dtype.
extern "C" XLA_FFI_Error* ToDecibelsHandler(XLA_FFI_CallFrame* call_frame);
