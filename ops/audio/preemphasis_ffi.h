// The XLA handler of the filter that raises high frequencies.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent (the same), parts f32[N, 1]. Result: the
// samples. Attributes: addressed, source_dtype, border (what lies before the first element:
// "clamp", "reflect" or "zero"). Types are those that float32 holds.
extern "C" XLA_FFI_Error* PreemphasisFilterHandler(XLA_FFI_CallFrame* call_frame);
