// Math functions: LLVM intrinsics for exact ones, else OpenCL.std instructions or short code on top
// of those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
