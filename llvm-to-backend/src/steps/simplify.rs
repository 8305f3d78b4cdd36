//! Brings the kernel into SSA form before anything about its memory accesses is concluded.
//!
//! *Invariant:* a private array that can live in registers does so afterwards: calls that are worth it are merged,
//! loops of known length over it are unrolled, and what is left of an `alloca` is really memory.

use crate::{
    context::Context,
    device_module::{DeviceModule, Placed, Simplified},
    failure::Outcome,
};

/// Functions into their callers, callees first and simplified, as far as LLVM's cost model likes: a call that is left
/// keeps the loop over work-items from being vectorised. Then the kernel once more with its short loops unrolled, and
/// what that uncovered.
const SIMPLIFY: &str = "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),\
    cgscc(devirt<4>(limit-inlining,inline,\
    function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg))),\
    function(loop-simplify,lcssa,loop-mssa(loop-rotate),loop(indvars,limit-full-unrolling,loop-unroll-full),\
    sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce";

pub(crate) fn simplify<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Placed>) -> Outcome<DeviceModule<'s, Simplified>> {
    if cx.optimise() {
        m.module.run_passes(SIMPLIFY, Some(cx.machine))?;
    }
    Ok(m.advance())
}
