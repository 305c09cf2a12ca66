// The XLA handler of ApplyColorMatrix.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], table
// f32[N, frames * outputs * (inputs + 1)] (rows of factors, each followed by its offset). Result:
// the samples. Attributes: addressed, source_dtype, inputs_count, outputs_count.
extern "C" XLA_FFI_Error* ColorMatrixHandler(XLA_FFI_CallFrame* call_frame);
