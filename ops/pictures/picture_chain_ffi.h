// The XLA handler of chains of kernels that begin with decoding.
//
// Attributes: `stages` names the kernels, separated by spaces; `types` are the element types of
// their results, as XLA counts them. The attributes of kernel number k have its number and an
// underscore before their names. Operands: into, source, extent, out_extent, and then for each
// kernel its own tables and, but for the last, the extents of its result, s32[n, rank]. With the
// attribute `caller`, the name of an operator, a picture that cannot be decoded fails the program.
#pragma once

#include "xla/ffi/api/c_api.h"

extern "C" XLA_FFI_Error* PictureChainHandler(XLA_FFI_CallFrame* call_frame);
