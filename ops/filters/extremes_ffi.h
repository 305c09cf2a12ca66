// The XLA handler of Extremes.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source u8, u16 or f32, extent s32[N, rank], out_extent (the same), table
// s32[N, frames * 4] (rows, columns and both anchors of a window). Result: the samples. Attributes:
// addressed, source_dtype, first_axis (of the two that are filtered), sizes (the largest windows),
// border, iterations, largest.
extern "C" XLA_FFI_Error* ExtremesHandler(XLA_FFI_CallFrame* call_frame);
