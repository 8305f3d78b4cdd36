// Queries of the device, which the translator answers. Code for other devices is folded away before
// optimisation.
#pragma once
#include "../generic/types.hpp"

// 1 if the device has the feature of that name (sinter_core::SpirvFeature), else 0.
#define SPIRV_FEATURE(NAME) extern "C" __attribute__((const)) i32 __sinter_spirv_has_##NAME();

SPIRV_FEATURE(fp16)
SPIRV_FEATURE(fp64)
SPIRV_FEATURE(atomic_add_f32)
SPIRV_FEATURE(atomic_add_f64)
SPIRV_FEATURE(atomic_min_max_f32)
SPIRV_FEATURE(atomic_min_max_f64)
SPIRV_FEATURE(sub_groups)
SPIRV_FEATURE(sub_group_vote)
SPIRV_FEATURE(sub_group_arithmetic)
SPIRV_FEATURE(sub_group_shuffle)
SPIRV_FEATURE(sub_group_shuffle_relative)
SPIRV_FEATURE(uniform_group_arithmetic)

// The sub-group size that the kernel requires; 0 if it requires none.
extern "C" __attribute__((const)) i32 __sinter_spirv_sub_group_size();

// 1 in a shader for Vulkan, 0 in a kernel for OpenCL or Level Zero.
extern "C" __attribute__((const)) i32 __sinter_spirv_is_shader();

// The size of a work-group that is launched as a row along x; 0 if it is launched as it is.
extern "C" __attribute__((const)) i32 __sinter_spirv_flat_x();
extern "C" __attribute__((const)) i32 __sinter_spirv_flat_y();
extern "C" __attribute__((const)) i32 __sinter_spirv_flat_z();
