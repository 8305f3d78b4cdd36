// Arithmetic on 16-bit storage by the f16 instructions.
#include "../generic/half.hpp"
