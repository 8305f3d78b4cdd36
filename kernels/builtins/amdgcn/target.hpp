// Queries of the target, which the translator answers. Code for other processors or wave sizes is
// folded away before code generation.
#pragma once
#include "../generic/types.hpp"

// Version of the instruction set, numbered as in AMD's device libraries: 9010 is gfx90a, 10300 is
// gfx1030.
extern "C" __attribute__((const)) i32 __sinter_amdgcn_isa();
// Work-items per wave: 32 or 64.
extern "C" __attribute__((const)) i32 __sinter_amdgcn_wave_size();

namespace isa {

// First version of each generation.
constexpr i32 gfx10 = 10000, gfx11 = 11000;

} // namespace isa
