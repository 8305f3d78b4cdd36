// Math functions. What LLVM has an intrinsic for becomes that intrinsic, so that it can be folded and vectorised; what
// it recognises by name becomes a call of libm; the rest is a few lines of arithmetic on those.
#include "elementary.hpp"

#include "../generic/half_turns.hpp"
#include "../generic/wide_powers.hpp"

#include "../generic/functions.hpp"
