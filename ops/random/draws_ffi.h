// The XLA handlers of the distributions.
//
// Operands: into, then source and its extent where the shape is that of an input (not read),
// out_extent s32[N, rank], keys u32[N, 2], the distribution's parameters f32[N, k]. Result: the
// samples. Attributes: addressed, source_dtype.
#pragma once

#include "xla/ffi/api/c_api.h"

// Parameters: low and high. The result is float64, or any other type by rounding float32.
extern "C" XLA_FFI_Error* UniformHandler(XLA_FFI_CallFrame* call_frame);
// Parameters: mean and standard deviation.
extern "C" XLA_FFI_Error* NormalHandler(XLA_FFI_CallFrame* call_frame);
// Parameters: alpha and beta.
extern "C" XLA_FFI_Error* BetaHandler(XLA_FFI_CallFrame* call_frame);
// Parameter: probability.
extern "C" XLA_FFI_Error* CoinFlipHandler(XLA_FFI_CallFrame* call_frame);
