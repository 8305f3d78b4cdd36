//! LLVM's optimiser for AMD GPUs.
//!
//! *Invariant:* legalisation runs at every optimisation level. After it LLVM's AMDGPU back end can
//! select every instruction: math operations are calls of defined functions.

use super::{atomics, casts, dpp, math::DIALECT};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{Checked, DeviceModule, Optimised},
    failure::Outcome,
    passes::{
        library_calls::{Missing, library_calls},
        link::link,
    },
    targets::gpu::{math, outline, stack::place_stack},
};
use sinter_core::AmdgcnTarget;

/// Address spaces are inferred before the optimiser, which then knows that accesses to different
/// ones do not alias, and again afterwards, when pointers that went through memory are in
/// registers.
const OPTIMISE: &str = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<>,infer-address-spaces),\
    cgscc(limit-inlining),default<O3>,\
    function(infer-address-spaces,instcombine<no-verify-fixpoint>)";
/// Inlines functions that were linked, and infers which pointers address private memory, where
/// operations are not atomic.
const AFTER_LINKING: &str = "always-inline,globaldce,function(infer-address-spaces)";
/// Infers the dispatch packet fields and hidden arguments that the kernel does not read. When
/// optimising, code generation does this.
const UNREAD: &str = "amdgpu-attributor";
/// Cleans up after legalisation.
const POLISH: &str = "function(early-cse<>,simplifycfg)";

pub(super) fn optimise<'s, B: Backend>(
    backend: &B,
    target: &AmdgcnTarget,
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    if cx.optimise() {
        m.module.run_passes(OPTIMISE, Some(cx.machine))?;
    }
    let added_calls = [
        atomics::replace(cx, &m)?,
        dpp::keep(cx, target, &m)?,
        library_calls(cx, &Missing::default(), &m)?,
        math::replace(cx, &DIALECT, &m)?,
        cx.optimise() && outline::divisions(cx, &m)?,
    ]
    .contains(&true);
    if link(cx, backend, &m)? {
        backend.flavor(cx, &m);
        backend.answer_libraries(cx, &m)?;
    }
    // Inlining a function of the image may have created allocas in the generic address space.
    place_stack(cx, &m);
    m.module.run_passes(AFTER_LINKING, Some(cx.machine))?;
    match cx.optimise() {
        true if added_calls => m.module.run_passes(POLISH, Some(cx.machine))?,
        true => {}
        false => m.module.run_passes(UNREAD, Some(cx.machine))?,
    }
    casts::settle(cx, &m);
    Ok(m.advance())
}
