// What the translator answers about the target. Code for other processors or another width of waves
// is gone before code generation.
#pragma once
#include "../generic/types.hpp"

// The version of the instruction set, numbered as AMD's own device libraries do: 9010 is gfx90a,
// 10300 is gfx1030.
extern "C" __attribute__((const)) i32 __sinter_amdgcn_isa();
// Number of work-items run in lockstep: 32 or 64.
extern "C" __attribute__((const)) i32 __sinter_amdgcn_wave_size();

namespace isa {

// The first versions of generations.
constexpr i32 gfx10 = 10000, gfx11 = 11000;

} // namespace isa
