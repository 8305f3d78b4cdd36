// Arithmetic on 16-bit storage, without excess precision (see the flags in build/main.rs).
#include "../generic/half.hpp"
