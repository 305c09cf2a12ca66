// The XLA handler of FilterSeparably.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source, extent s32[N, rank], out_extent s32[N, rank], table
// f32[N, frames * terms * axes * width]. Result: the samples. Attributes: addressed, source_dtype,
// first_axis and axes (the filtered ones), terms, frames.
extern "C" XLA_FFI_Error* SeparableHandler(XLA_FFI_CallFrame* call_frame);
