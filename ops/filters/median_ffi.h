// The XLA handler of Median.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source (any type but f16), extent s32[N, rank], out_extent (the same), table
// s32[N, 2] (rows and columns of a window). Result: the samples. Attributes: addressed,
// source_dtype, first_axis (of the two that are filtered), sizes (the largest windows).
extern "C" XLA_FFI_Error* MedianHandler(XLA_FFI_CallFrame* call_frame);
