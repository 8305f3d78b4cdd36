//! Answers to the queries of builtins on AMD GPUs, and the functions that the backend defines.
//!
//! *Invariant:* a name that is in none of these lists and has no definition is an error before code
//! generation.

use crate::targets::local_memory::DYNAMIC_LOCAL_MEMORY;
use sinter_core::AmdgcnTarget;

/// Numbers of AdaptiveCpp's `runtime_backend` and `compiler_backend` enumerations for HIP and AMD
/// GPUs.
const HIP_RUNTIME: u64 = 1;
const AMDGPU_COMPILER: u64 = 2;
/// PCI vendor ID.
const AMD: u64 = 0x1002;

/// True if the backend itself defines this function.
pub(super) fn is_provided(name: &str) -> bool {
    name == DYNAMIC_LOCAL_MEMORY
}

/// The value of a reflection query. `None` for an unknown one.
pub(super) fn reflect(target: &AmdgcnTarget, query: &str) -> Option<u64> {
    match query {
        "target_is_gpu" => Some(1),
        "target_is_cpu" | "target_has_independent_forward_progress" => Some(0),
        "target_arch" => u64::from_str_radix(target.processor.trim_start_matches("gfx"), 16).ok(),
        "target_vendor_id" => Some(AMD),
        "runtime_backend" => Some(HIP_RUNTIME),
        "compiler_backend" => Some(AMDGPU_COMPILER),
        _ => None,
    }
}
