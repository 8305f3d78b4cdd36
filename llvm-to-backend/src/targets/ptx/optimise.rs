//! LLVM's optimiser for PTX.
//!
//! *Invariant:* legalisation runs at every optimisation level. After it LLVM's PTX back end lowers
//! every instruction correctly: atomic operations are inline PTX, approximations are selected, math
//! operations are calls.

use super::{
    approximate, atomics, exchange_loops, math::DIALECT, narrow_integers, null_pointers, private_memory,
    signed_indices, vector_copies, vector_masks,
};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{Checked, DeviceModule, Optimised},
    failure::Outcome,
    passes::{
        library_calls::{Missing, library_calls},
        link::link,
    },
    targets::gpu::{early_loads, math, outline, remainders, unroll},
};

/// Address spaces are inferred before the optimiser, which then knows that accesses to different
/// ones do not alias, and again afterwards, when pointers that went through memory are in
/// registers.
const OPTIMISE: &str = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<>,infer-address-spaces),\
    cgscc(limit-inlining),default<O3>,\
    function(infer-address-spaces,instcombine<no-verify-fixpoint>)";
/// Unrolls loops that run eight times at most, however often that is, as nvcc does: the rests of
/// others, loops over a triangle of coefficients, or with a few steps of a work-group's size.
const SHORT_LOOPS: &str = "function(loop-unroll<O3;no-partial;no-runtime;upperbound;no-peeling;no-profile-peeling>,\
    simplifycfg)";
/// Inlines the functions that legalisation added.
const AFTER_LINKING: &str = "always-inline,globaldce";
/// Cleans up after inlining.
const POLISH: &str = "function(early-cse<>,simplifycfg)";
/// Joins loads that lie side by side. The code generator does that too, but after
/// LoopStrengthReduce, which lets the address of a loop stand for the last load: offsets of -12 to
/// 0 take fewer bits than 0 to 12. An assembler that sees such an address, which is no multiple of
/// 8, reads constants one by one.
const JOIN_LOADS: &str = "function(load-store-vectorizer)";

pub(super) fn optimise<'s, B: Backend>(
    backend: &B,
    cx: &Context<'s, '_>,
    m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    if cx.optimise() {
        exchange_loops::replace(cx, &m)?;
        unroll::hint(cx, &m);
        m.module.run_passes(OPTIMISE, Some(cx.machine))?;
        signed_indices::extend(&m);
        unroll::allow_rests(cx, &m);
        m.module.run_passes(SHORT_LOOPS, Some(cx.machine))?;
    }
    let answered = private_memory::answer(&m);
    let added_calls = [
        answered,
        atomics::replace(cx, &m)?,
        library_calls(cx, &Missing::default(), &m)?,
        approximate::replace(cx, &m)?,
        math::replace(cx, &DIALECT, &m)?,
        cx.optimise() && outline::divisions(cx, &m)?,
    ];
    if link(cx, backend, &m)? {
        backend.flavor(cx, &m);
        backend.answer_libraries(cx, &m)?;
    }
    m.module.run_passes(AFTER_LINKING, Some(cx.machine))?;
    if cx.optimise() && added_calls.contains(&true) {
        m.module.run_passes(POLISH, Some(cx.machine))?;
    }
    if cx.optimise() {
        remainders::keep(&m);
        vector_copies::widen(cx, &m);
        early_loads::hoist(cx, &m);
        null_pointers::keep(cx, &m);
    }
    if cx.optimise() && !m.facts.constants.is_empty() {
        m.module.run_passes(JOIN_LOADS, Some(cx.machine))?;
    }
    vector_masks::split(cx, &m);
    narrow_integers::widen(cx, &m);
    Ok(m.advance())
}
