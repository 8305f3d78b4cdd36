// Math functions. What the code generator knows is written as LLVM's intrinsic, the rest as calls of ocml or as a few lines
// of arithmetic on those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
