//! Makes IR that SPIR-V has words for.
//!
//! In: a kernel as LLVM's optimiser left it, with values and operations of any type. Out: the same kernel in the IR that [`accepted`] lists,
//! or an error that names the first construct that has no equal, with its place. *Invariant:* what a defined execution of the kernel
//! does stays the same; nothing but [`legalise`] knows the order of the steps.
//!
//! 1. [`print`] makes texts constants. [`values`] makes constant expressions instructions, so that the steps see every operation.
//! 2. [`traps`], [`atomics`] and [`intrinsics`] put the code of functions, written as text for any type, in the place of what is missing.
//! 3. [`booleans`] makes logic of arithmetic on truth values.
//! 4. [`expand`] represents values of other types by parts: [`integers`] and [`wide`], [`elements`] and [`members`] of vectors, [`memory`],
//!    and the signatures of functions ([`calls`]).
//! 5. Two passes of LLVM that make no types and operations of their own remove parts that nothing needs.
//! 6. [`phis`] gives blocks fewer predecessors. [`values`] gives undefined operands a value, and [`accepted::check`] has the last word.

mod accepted;
mod arithmetic_text;
mod atomics;
mod booleans;
mod calls;
mod elements;
mod expand;
mod expansion;
mod float_text;
mod format;
mod integers;
mod intrinsic_call;
mod intrinsics;
mod legaliser;
mod members;
mod memory;
mod phis;
mod print;
mod shapes;
pub(super) mod standalone;
mod transfer_text;
mod traps;
mod values;
mod vector_text;
mod wide;

pub(super) use intrinsics::KNOWN;

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use expansion::Expansion;
use legaliser::Legaliser;
use sinter_core::SpirvTarget;
use sinter_llvm::ir::Value;

/// Removes what is computed twice, and what nothing uses: not every part of a value is needed.
const CLEAN: &str = "function(early-cse,dce)";
/// Removes the latter.
const SWEEP: &str = "function(dce)";

/// Leaves nothing but what the emitter accepts.
pub(super) fn legalise<'s, S>(cx: &Context<'s, '_>, target: &SpirvTarget, m: &DeviceModule<'s, S>) -> Outcome<()> {
    let l = Legaliser { cx, target, m };
    print::replace(&l)?;
    values::expand(m);
    traps::replace(&l)?;
    atomics::replace(&l)?;
    intrinsics::replace(&l)?;
    if expand::prepare(&l)? {
        intrinsics::replace(&l)?;
    }
    booleans::replace(m);
    expand_types(&l)?;
    m.module.run_passes(if cx.optimise() { CLEAN } else { SWEEP }, Some(cx.machine))?;
    phis::divide(m);
    values::expand(m);
    values::define(m);
    accepted::check(cx, target, m)
}

fn expand_types<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    memory::globals(l)?;
    let successors = calls::signatures(l)?;
    let mut expansions = Vec::new();
    for function in l.m.defined() {
        let mut expansion = Expansion::new(l, &successors);
        if let Some((old, _)) = successors.iter().find(|(_, new)| **new == function) {
            calls::bind(&mut expansion, *old, function);
        }
        expansions.push((expansion, function));
    }
    expansions.into_iter().try_for_each(|(expansion, function)| expansion.function(function))?;
    successors.into_keys().for_each(Value::delete);
    Ok(())
}
