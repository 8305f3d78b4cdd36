// Math functions: LLVM intrinsics where the code generator supports them, else calls of ocml or
// short code on top of those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
