//! Answers to the queries of builtins on SPIR-V devices, and the functions that the backend
//! defines.
//!
//! *Invariant:* a name that is in none of these lists and has no definition is an error before code
//! generation.

use crate::targets::local_memory::DYNAMIC_LOCAL_MEMORY;
use sinter_core::{SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTarget};

/// Prefix of functions that stand for instructions, built-in variables and queries.
pub(super) const PREFIX: &str = "__sinter_spirv_";
/// Numbers of AdaptiveCpp's `runtime_backend` enumeration, and of its `compiler_backend` for
/// SPIR-V.
const LEVEL_ZERO_RUNTIME: u64 = 2;
const OPENCL_RUNTIME: u64 = 3;
/// Not in that enumeration.
const VULKAN_RUNTIME: u64 = 100;
const SPIRV_COMPILER: u64 = 0;

/// True if the backend itself defines this function.
pub(super) fn is_provided(name: &str) -> bool {
    name == DYNAMIC_LOCAL_MEMORY || name.starts_with(PREFIX)
}

/// The value of a reflection query. `None` for an unknown one.
pub(super) fn reflect(target: &SpirvTarget, query: &str) -> Option<u64> {
    match query {
        "target_is_gpu" => Some(u64::from(target.device == SpirvDevice::Gpu)),
        "target_is_cpu" => Some(u64::from(target.device == SpirvDevice::Cpu)),
        "target_has_independent_forward_progress" => Some(0),
        "spirv_has_native_float_atomics" => Some(u64::from(target.has(SpirvFeature::AtomicAddF32))),
        "runtime_backend" => Some(match target.environment {
            SpirvEnvironment::LevelZero => LEVEL_ZERO_RUNTIME,
            SpirvEnvironment::Vulkan => VULKAN_RUNTIME,
            _ => OPENCL_RUNTIME,
        }),
        "compiler_backend" => Some(SPIRV_COMPILER),
        _ => None,
    }
}
