// The XLA handlers of the data movements.
//
// Operands of all: into, source, extent s32[N, rank], out_extent s32[N, rank], tables. Result: the
// samples. Attributes of all: addressed, source_dtype.
#pragma once

#include "xla/ffi/api/c_api.h"

// Tables: window s32[N, 2 * axes] (anchors, then steps), fill f32[N, values].
// Attributes: axes, perm (input axes), fill_axis (input axis; -1: one value for all).
extern "C" XLA_FFI_Error* StridedCopyHandler(XLA_FFI_CallFrame* call_frame);

// No tables.
extern "C" XLA_FFI_Error* CastHandler(XLA_FFI_CallFrame* call_frame);

// Table: order s32[N, k]. Attribute: single (whether the result lacks the axis of frames).
extern "C" XLA_FFI_Error* FramesHandler(XLA_FFI_CallFrame* call_frame);

// Operands: into, then source and extent of each input, then out_extent. Attributes: axis, stacked.
extern "C" XLA_FFI_Error* JoiningHandler(XLA_FFI_CallFrame* call_frame);
