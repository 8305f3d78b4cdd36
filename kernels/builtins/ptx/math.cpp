// Math functions. What is one instruction is written as LLVM's intrinsic, the rest as calls of libdevice or as a few
// lines of arithmetic on those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
