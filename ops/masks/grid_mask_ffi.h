// The XLA handler of `grid_mask`.
//
// Operands: into (recycled buffer, aliased to the result), source (any type; addresses s32[N, 2]
//   when `addressed`), extent s32[N, rank], out_extent s32[N, rank] (the same), grid f32[N, 5] =
//   {ratio, cos, sin, shift x, shift y}, all but the first divided by the grid's period.
// Attributes: axes (int64[2], rows before columns), addressed (bool), source_dtype (int32).
// Result: the masked samples, of the source's type.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* GridMaskHandler(XLA_FFI_CallFrame* call_frame);
