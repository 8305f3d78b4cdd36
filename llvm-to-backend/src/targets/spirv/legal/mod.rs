//! Legalises IR for SPIR-V.
//!
//! In: an optimised kernel, with values and operations of any type. Out: the same kernel in the IR
//! that [`accepted`] lists, or an error with the place of the first construct without an
//! equivalent. *Invariant:* the behaviour of every defined execution stays the same; only
//! [`legalise`] knows the order of the steps.
//!
//! 1. [`print`] makes strings constant. [`values`] turns constant expressions into instructions, so
//!    that the steps see every operation.
//! 2. [`traps`], [`atomics`] and [`intrinsics`] replace missing operations by the
//!    code of functions, written as IR text for any type.
//! 3. [`booleans`] turns arithmetic on booleans into logic.
//! 4. [`expand`] represents values of other types by parts: [`integers`] and [`wide`], [`elements`]
//!    and [`members`] of vectors, [`memory`], and the signatures of functions ([`calls`]).
//! 5. Two LLVM passes that introduce no new types and operations remove unused parts.
//! 6. For shaders, [`structure`] nests loops and branches.
//! 7. [`phis`] reduces the predecessors of blocks. [`values`] gives undefined operands a value, and
//!    [`accepted::check`] verifies the result.

mod accepted;
mod arithmetic_templates;
mod atomics;
mod booleans;
mod calls;
mod elements;
mod expand;
mod expansion;
mod float_templates;
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
mod structure;
mod transfer_templates;
mod traps;
mod values;
mod vector_templates;
mod wide;

pub(super) use intrinsics::KNOWN;
pub(super) use structure::prepare;

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use expansion::Expansion;
use legaliser::Legaliser;
use sinter_core::{SpirvEnvironment, SpirvTarget};
use sinter_llvm::ir::Value;

/// Removes common subexpressions and dead code: not every part of a value is needed.
const CLEAN: &str = "function(early-cse,dce)";
/// Removes dead code.
const SWEEP: &str = "function(dce)";

/// Legalises the module; it then has only IR that the emitter accepts.
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
    if target.environment == SpirvEnvironment::Vulkan {
        structure::nest(cx, m)?;
    } else {
        structure::enter_once(cx, m)?;
        phis::divide(m);
    }
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
