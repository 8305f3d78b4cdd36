//! Brings a kernel into the form from which rows are emitted.
//!
//! In: a checked kernel. Out: the same kernel without vectors and irreducible loops, with one
//! return, and with loops that have a preheader, one latch and exits of their own, and phis for
//! every value that leaves them. *Invariant:* what the kernel computes does not change.

use crate::{context::Context, failure::Outcome};
use sinter_llvm::Module;

const PREPARE: &str = "function(scalarize-accesses,sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,\
    simplifycfg,correlated-propagation,instcombine<no-verify-fixpoint>,mergereturn,fix-irreducible,loop-simplify,lcssa)";

pub(super) fn prepare<'s>(cx: &Context<'s, '_>, module: &Module<'s>) -> Outcome<()> {
    Ok(module.run_passes(PREPARE, Some(cx.machine))?)
}
