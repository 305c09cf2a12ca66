// The XLA handler of Debayer.
#pragma once

#include "xla/ffi/api/c_api.h"

// Operands: into, source u8 or u16, extent s32[N, rank], out_extent s32[N, rank'], table
// s32[N, frames * 2] (row and column, in each 2 x 2 tile, of the first channel). Result: the
// samples, one or three channels last. Attributes: addressed, source_dtype, first_axis (height;
// width follows, and an axis of extent 1 may), method (a Demosaic).
extern "C" XLA_FFI_Error* DebayerHandler(XLA_FFI_CallFrame* call_frame);
