// Macros that define libdevice's functions with those of libclc.
#pragma once
#include "../../generic/libclc.hpp"

// Defines `__nv_NAME[f]`, or only the f64 function if our f32 function is in another file.
#define LIBRARY1(NAME, FUNCTION)                                                                                       \
  extern "C" f32 __nv_##NAME##f(f32 x) { return FUNCTION(x); }                                                          \
  LIBRARY1_F64(NAME, FUNCTION)
#define LIBRARY1_F64(NAME, FUNCTION)                                                                                   \
  extern "C" f64 __nv_##NAME(f64 x) { return FUNCTION(x); }
#define LIBRARY2(NAME, FUNCTION)                                                                                       \
  extern "C" f32 __nv_##NAME##f(f32 x, f32 y) { return FUNCTION(x, y); }                                                \
  LIBRARY2_F64(NAME, FUNCTION)
#define LIBRARY2_F64(NAME, FUNCTION)                                                                                   \
  extern "C" f64 __nv_##NAME(f64 x, f64 y) { return FUNCTION(x, y); }
// Defines libdevice's functions as the libclc functions of the same name.
#define FROM_CLC1(LENGTH, NAME) CLC1(LENGTH, NAME) LIBRARY1(NAME, clc::NAME)
#define FROM_CLC2(LENGTH, NAME) CLC2(LENGTH, NAME) LIBRARY2(NAME, clc::NAME)
#define F64_FROM_CLC1(LENGTH, NAME) CLC1(LENGTH, NAME) LIBRARY1_F64(NAME, clc::NAME)
#define ODD_FROM_CLC1(LENGTH, NAME) ODD(LENGTH, NAME) LIBRARY1(NAME, odd_##NAME)
#define F64_ODD_FROM_CLC1(LENGTH, NAME) ODD(LENGTH, NAME) LIBRARY1_F64(NAME, odd_##NAME)
#define F64_FROM_CLC2(LENGTH, NAME) CLC2(LENGTH, NAME) LIBRARY2_F64(NAME, clc::NAME)
