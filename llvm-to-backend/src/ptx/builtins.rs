//! What the PTX target answers and what the driver provides.
//!
//! *Invariant:* a name that is in none of these lists and has no definition is an error before code generation.

use super::template::link_text;
use crate::{context::Context, device_module::DeviceModule, failure::Outcome, local_memory::DYNAMIC_LOCAL_MEMORY};
use sinter_core::PtxTarget;
use std::fmt::Write;

/// Numbers of AdaptiveCpp's `runtime_backend` and `compiler_backend` enumerations for CUDA and PTX.
const CUDA_RUNTIME: u64 = 0;
const PTX_COMPILER: u64 = 1;
/// NVIDIA's number in the list of PCI vendors.
const NVIDIA: u64 = 0x10de;

/// Functions that every CUDA program may call on the device (CUDA C++ Programming Guide, "System calls").
const SYSTEM_CALLS: [&str; 2] = ["vprintf", "__assertfail"];

/// Whether the backend itself or the driver defines this function.
pub(super) fn is_provided(name: &str) -> bool {
    name == DYNAMIC_LOCAL_MEMORY || SYSTEM_CALLS.contains(&name)
}

/// Defines the queries of the work-group's size that have one answer, so that the library's collectives shrink to it. They
/// stay visible until the library is linked.
pub(super) fn define_sizes<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut text = String::new();
    for (dimension, name) in ["x", "y", "z"].iter().enumerate() {
        let absent = dimension >= usize::from(cx.config().dimensions);
        let Some(size) = cx.config().group_size.map(|sizes| sizes[dimension]).or(absent.then_some(1)) else { continue };
        let name = format!("__acpp_sscp_get_local_size_{name}");
        if m.module.function(&name).is_none() {
            m.module.declare(&name, cx.session.integer(64), &[]);
        }
        let _ = writeln!(text, "define i64 @{name}() alwaysinline nounwind memory(none) {{\n  ret i64 {size}\n}}");
    }
    link_text(cx, m, &text).map(drop)
}

/// The answer to a query of the target.
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
