// Arithmetic on 16-bit storage by the f16 instructions; a division goes through f32, which rounds
// to the same.
#include "../generic/half.hpp"
