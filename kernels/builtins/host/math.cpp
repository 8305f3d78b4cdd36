// Math functions: LLVM intrinsics where they exist, so that calls can be folded and vectorised;
// libm calls for functions that LLVM recognises by name; else short code on top of those.
#include "elementary.hpp"

#include "../generic/half_turns.hpp"
#include "../generic/wide_powers.hpp"

#include "../generic/functions.hpp"
