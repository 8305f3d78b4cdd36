// Arithmetic on 16-bit storage by the f16 instructions; a division is computed in f32, which gives
// the same rounding.
#include "../generic/half.hpp"
