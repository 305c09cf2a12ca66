// The XLA handler of contrast-limited adaptive histogram equalisation.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source u8, extent s32[N, 3] (height, width, channels), out_extent s32[N, 3],
// table f32[N, 1] (the limit). Result: the samples. Attributes: addressed, source_dtype, tiles_x,
// tiles_y, luma_only.
extern "C" XLA_FFI_Error* ClaheHandler(XLA_FFI_CallFrame* call_frame);
