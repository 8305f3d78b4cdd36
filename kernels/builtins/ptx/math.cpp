// Math functions: LLVM intrinsics for single instructions, else calls of libdevice or short code on
// top of those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
