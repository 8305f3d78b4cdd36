// Definitions of the functions that stand for OpenCL's instructions on Vulkan, which has none that
// are as accurate: calls of libclc's, LLVM's library of the OpenCL functions, under LLVM's licence.
#pragma once
#include "../../generic/libclc.hpp"

#define CLC_WHOLE(LENGTH, NAME)                                                                                        \
  namespace clc {                                                                                                      \
  f32 NAME(f32, i32) asm("_Z" #LENGTH #NAME "fi");                                                                     \
  f64 NAME(f64, i32) asm("_Z" #LENGTH #NAME "di");                                                                     \
  }

// Defines the function for one type, and for both.
#define DEFINE(T, NAME, PARAMETERS, RESULT)                                                                            \
  extern "C" T sinter_##NAME##_##T PARAMETERS asm("__sinter_spirv_ocl_" #NAME "__" #T);                                \
  T sinter_##NAME##_##T PARAMETERS { return RESULT; }
#define LIBRARY1(NAME, FUNCTION)                                                                                       \
  DEFINE(f32, NAME, (f32 x), FUNCTION(x))                                                                              \
  DEFINE(f64, NAME, (f64 x), FUNCTION(x))
#define LIBRARY2(NAME, FUNCTION)                                                                                       \
  DEFINE(f32, NAME, (f32 x, f32 y), FUNCTION(x, y))                                                                    \
  DEFINE(f64, NAME, (f64 x, f64 y), FUNCTION(x, y))
#define LIBRARY_WHOLE(NAME, FUNCTION)                                                                                  \
  DEFINE(f32, NAME, (f32 x, i32 n), FUNCTION(x, n))                                                                    \
  DEFINE(f64, NAME, (f64 x, i32 n), FUNCTION(x, n))
#define FROM_CLC1(LENGTH, NAME) CLC1(LENGTH, NAME) LIBRARY1(NAME, clc::NAME)
#define FROM_CLC2(LENGTH, NAME) CLC2(LENGTH, NAME) LIBRARY2(NAME, clc::NAME)
#define FROM_CLC_WHOLE(LENGTH, NAME) CLC_WHOLE(LENGTH, NAME) LIBRARY_WHOLE(NAME, clc::NAME)
#define ODD_FROM_CLC1(LENGTH, NAME) ODD(LENGTH, NAME) LIBRARY1(NAME, odd_##NAME)
