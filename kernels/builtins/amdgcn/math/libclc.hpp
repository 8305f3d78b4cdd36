// Macros that define ocml's functions with those of libclc.
#pragma once
#include "../../generic/libclc.hpp"

// Address space of ocml's output parameters.
#define PRIVATE __attribute__((address_space(5)))


// Defines ocml's function of that name for all types. Those of f16 are computed in f32.
#define LIBRARY1(NAME, FUNCTION)                                                                                       \
  extern "C" f16 __ocml_##NAME##_f16(f16 x) { return (f16)FUNCTION((f32)x); }                                          \
  extern "C" f32 __ocml_##NAME##_f32(f32 x) { return FUNCTION(x); }                                                    \
  extern "C" f64 __ocml_##NAME##_f64(f64 x) { return FUNCTION(x); }
#define LIBRARY2(NAME, FUNCTION)                                                                                       \
  extern "C" f16 __ocml_##NAME##_f16(f16 x, f16 y) { return (f16)FUNCTION((f32)x, (f32)y); }                           \
  extern "C" f32 __ocml_##NAME##_f32(f32 x, f32 y) { return FUNCTION(x, y); }                                          \
  extern "C" f64 __ocml_##NAME##_f64(f64 x, f64 y) { return FUNCTION(x, y); }
#define FROM_CLC1(LENGTH, NAME) CLC1(LENGTH, NAME) LIBRARY1(NAME, clc::NAME)
#define ODD_FROM_CLC1(LENGTH, NAME) ODD(LENGTH, NAME) LIBRARY1(NAME, odd_##NAME)
#define FROM_CLC2(LENGTH, NAME) CLC2(LENGTH, NAME) LIBRARY2(NAME, clc::NAME)
