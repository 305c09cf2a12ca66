// The XLA handler of spectra of whole signals.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source f32, extent s32[N, rank], out_extent s32[N, rank]. Result: the spectra.
// Attributes: addressed, source_dtype, axis, nfft (0: each signal's own length), power (1 or 2).
extern "C" XLA_FFI_Error* PowerSpectrumHandler(XLA_FFI_CallFrame* call_frame);
