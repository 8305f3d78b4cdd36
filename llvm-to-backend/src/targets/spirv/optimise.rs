//! LLVM's optimiser for SPIR-V, and the legalisation of its result.
//!
//! *Invariant:* legalisation runs at every optimisation level.

use super::{legal, math::DIALECT};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{Checked, DeviceModule, Optimised},
    failure::Outcome,
    passes::{
        library_calls::{Missing, library_calls},
        link::link,
    },
    targets::gpu::{math, stack::place_stack, unroll},
};
use sinter_core::{SpirvFeature, SpirvTarget};

/// Address spaces are inferred before the optimiser, which then knows that accesses to different
/// ones do not alias, and again afterwards, when pointers that went through memory are in
/// registers.
const OPTIMISE: &str = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<>,infer-address-spaces),\
    cgscc(limit-inlining),default<O3>,\
    function(infer-address-spaces,instcombine<no-verify-fixpoint>)";
/// Inlines functions that were linked, and infers address spaces.
const AFTER_LINKING: &str = "always-inline,globaldce,function(infer-address-spaces)";
/// Cleans up after inlining.
const POLISH: &str = "function(early-cse<>,simplifycfg)";
/// Also removes casts of integers to half precision and back.
const POLISH_BITS: &str = "function(early-cse<>,instcombine<no-verify-fixpoint>,simplifycfg)";

pub(super) fn optimise<'s, B: Backend>(
    backend: &B,
    target: &SpirvTarget,
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    if cx.optimise() {
        unroll::hint(cx, &m);
        m.module.run_passes(OPTIMISE, Some(cx.machine))?;
    }
    let missing = missing(target);
    let added_calls = [library_calls(cx, &missing, &m)?, math::replace(cx, &DIALECT, &m)?].contains(&true);
    if link(cx, backend, &m)? {
        backend.flavor(cx, &m);
        backend.answer_libraries(cx, &m)?;
    }
    place_stack(cx, &m);
    m.module.run_passes(AFTER_LINKING, Some(cx.machine))?;
    if cx.optimise() && added_calls {
        m.module.run_passes(if missing.half { POLISH_BITS } else { POLISH }, Some(cx.machine))?;
    }
    legal::legalise(cx, target, &m)?;
    Ok(m.advance())
}

/// SPIR-V 1.4 has no `bfloat`, and instructions for all other arithmetic if the device has half
/// precision; the legaliser expands integers of other widths.
fn missing(target: &SpirvTarget) -> Missing {
    let half = !target.has(SpirvFeature::Fp16);
    Missing { half, half_of_double: half, bfloat: true, wide_parameters: true }
}
