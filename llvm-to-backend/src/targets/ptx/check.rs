//! Refuses code that NVIDIA GPUs cannot run.
//!
//! *Invariant:* LLVM's PTX back end does not abort on code that passes, neither before the
//! optimiser nor after it.

use super::{builtins, math::DIALECT};
use crate::{
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::Outcome,
    targets::gpu::check as gpu,
};
use sinter_core::PtxTarget;

/// Bytes of private memory of a work-item (CUDA C++ Programming Guide, "Technical Specifications
/// per Compute Capability").
const PRIVATE_MEMORY: u64 = 512 << 10;
/// Bytes of kernel parameters (PTX ISA, "Kernel Function Parameters"). PTX 8.1 allows more from
/// Volta on.
const PARAMETERS: u32 = 4096;
const MORE_PARAMETERS: u32 = 32764;
const MORE_SINCE: u32 = 81;

pub(super) fn check(cx: &Context<'_, '_>, target: &PtxTarget, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    gpu::check(cx, &DIALECT, m)?;
    parameters_fit(cx, target, m)?;
    gpu::private_memory_fits(cx, m, PRIVATE_MEMORY)
}

/// Repeats the checks after the optimiser, which may create code that cannot be selected.
pub(super) fn check_again<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    gpu::check_again(cx, &DIALECT, m, builtins::is_provided)
}

fn parameters_fit(cx: &Context<'_, '_>, target: &PtxTarget, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let limit = if target.isa >= MORE_SINCE { MORE_PARAMETERS } else { PARAMETERS };
    let size = m.facts.argument_size;
    if size <= limit {
        return Ok(());
    }
    let hint = format!("the limit is {limit} bytes; put the data into memory and pass its address");
    Err(cx.unsupported(format!("{size} bytes of kernel parameters"), None, &hint).into())
}
