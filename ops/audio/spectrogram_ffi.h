// The XLA handler of Spectrogram.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source f32, extent s32[N, rank], out_extent s32[N, 2], and, unless the window is
// Hann's, its weights f32[N, window]. Result: the spectra. Attributes: addressed, source_dtype,
// axis (of time; -1 if the samples are single numbers), nfft, window, step, power (1 or 2),
// centred, reflect, time_first (the order of the result's axes).
extern "C" XLA_FFI_Error* SpectrogramHandler(XLA_FFI_CallFrame* call_frame);
