// Declarations of libclc functions, with OpenCL's name mangling. libclc is LLVM's
// target-independent library of the OpenCL functions, under LLVM's licence.
#pragma once
#include "types.hpp"

// Declares clc::NAME(x) for both types.
#define CLC1(LENGTH, NAME)                                                                                             \
  namespace clc {                                                                                                      \
  f32 NAME(f32) asm("_Z" #LENGTH #NAME "f");                                                                           \
  f64 NAME(f64) asm("_Z" #LENGTH #NAME "d");                                                                           \
  }
#define CLC2(LENGTH, NAME)                                                                                             \
  namespace clc {                                                                                                      \
  f32 NAME(f32, f32) asm("_Z" #LENGTH #NAME "ff");                                                                     \
  f64 NAME(f64, f64) asm("_Z" #LENGTH #NAME "dd");                                                                     \
  }
// libclc's f64 functions lose the sign of zero.
#define ODD(LENGTH, NAME)                                                                                              \
  CLC1(LENGTH, NAME)                                                                                                   \
  template <class T> static T odd_##NAME(T x) { return x == 0 ? x : clc::NAME(x); }
