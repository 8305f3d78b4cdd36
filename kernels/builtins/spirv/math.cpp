// Math functions. What is exact is written as LLVM's intrinsic, the rest as instructions of OpenCL's set or as a few
// lines of arithmetic on those.
#include "elementary.hpp"

#include "../generic/narrow_powers.hpp"

#include "../generic/functions.hpp"
