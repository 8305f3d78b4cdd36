//! Answers to the queries of builtins on NVIDIA GPUs, and the functions that the driver defines.
//!
//! *Invariant:* a name that is in none of these lists and has no definition is an error before code
//! generation.

use crate::targets::local_memory::DYNAMIC_LOCAL_MEMORY;
use sinter_core::PtxTarget;

/// Numbers of AdaptiveCpp's `runtime_backend` and `compiler_backend` enumerations for CUDA and PTX.
const CUDA_RUNTIME: u64 = 0;
const PTX_COMPILER: u64 = 1;
/// PCI vendor ID.
const NVIDIA: u64 = 0x10de;

/// System calls that the CUDA driver defines for device code (CUDA C++ Programming Guide, "System
/// calls").
const SYSTEM_CALLS: [&str; 2] = ["vprintf", "__assertfail"];

/// True if the backend itself or the driver defines this function.
pub(super) fn is_provided(name: &str) -> bool {
    name == DYNAMIC_LOCAL_MEMORY || SYSTEM_CALLS.contains(&name)
}

/// The value of a reflection query. `None` for an unknown one.
pub(super) fn reflect(target: &PtxTarget, query: &str) -> Option<u64> {
    match query {
        "target_is_gpu" | "target_has_independent_forward_progress" => Some(1),
        "target_is_cpu" => Some(0),
        "target_arch" => Some(u64::from(target.sm)),
        "target_vendor_id" => Some(NVIDIA),
        "runtime_backend" => Some(CUDA_RUNTIME),
        "compiler_backend" => Some(PTX_COMPILER),
        _ => None,
    }
}
