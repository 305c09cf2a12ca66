// The XLA handlers of noise.
//
// Operands: into, source, its extent s32[N, rank], out_extent (the same), keys u32[N, 2],
// parameters f32[N, k]. Result: the samples, in the source's type. Attributes: addressed,
// source_dtype.
#pragma once

#include "xla/ffi/api/c_api.h"

// Parameters: mean and standard deviation.
extern "C" XLA_FFI_Error* GaussianNoiseHandler(XLA_FFI_CallFrame* call_frame);
// Parameter: factor.
extern "C" XLA_FFI_Error* ShotNoiseHandler(XLA_FFI_CallFrame* call_frame);
// Parameters: probability, share of salt, salt, pepper. Attributes: together, an axis whose
// elements are replaced together, or -1; default_salt, default_pepper: whether they are the type's
// extremes.
extern "C" XLA_FFI_Error* SaltAndPepperHandler(XLA_FFI_CallFrame* call_frame);
