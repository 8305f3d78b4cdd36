//! Brings the kernel into SSA form before anything about its memory accesses is concluded.
//!
//! *Invariant:* a private array that can live in registers does so afterwards: loops of known length over it are
//! unrolled first, and what is left of an `alloca` is really memory.

use crate::{
    context::Context,
    device_module::{DeviceModule, Linked},
    failure::Outcome,
};

/// Registers, simple values, simple control flow; short loops unrolled; once more what that uncovered.
const SIMPLIFY: &str = "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,\
    loop-simplify,lcssa,loop-mssa(loop-rotate),loop(indvars,loop-unroll-full),\
    sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce";

pub(crate) fn simplify<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Linked>) -> Outcome<DeviceModule<'s, Linked>> {
    if cx.optimise() {
        m.module.run_passes(SIMPLIFY, Some(cx.machine))?;
    }
    Ok(m)
}
