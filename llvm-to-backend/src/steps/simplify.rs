//! Brings the kernel into SSA form before its memory accesses are analysed.
//!
//! *Invariant:* a private array that can live in registers does so afterwards: profitable calls are
//! inlined, loops of known length over the array are unrolled, and any remaining `alloca` really is
//! memory.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Placed, Simplified},
    failure::Outcome,
    passes::{
        inlining::{self, INLINE},
        joined_calls,
    },
};

/// Inlines functions, callees first and simplified, as far as LLVM's cost model allows: a remaining
/// call would keep the loop over work-items from being vectorised. Then unrolls the short loops of
/// the kernel and simplifies the result.
const SIMPLIFY: &str = "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),\
    cgscc(devirt<4>(limit-inlining,inline,\
    function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg))),\
    function(loop-simplify,lcssa,loop-mssa(loop-rotate),loop(indvars,limit-full-unrolling,loop-unroll-full),\
    sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce";

pub(crate) fn simplify<'s, B: Backend>(
    cx: &Context<'s, '_>,
    _: &B,
    m: DeviceModule<'s, Placed>,
) -> Outcome<DeviceModule<'s, Simplified>> {
    if cx.optimise() {
        m.module.run_passes(SIMPLIFY, Some(cx.machine))?;
    }
    if B::JOINS_COLLECTIVES && inlining::has_collectives(&m) {
        joined_calls::join(cx.session, &m);
        inlining::mark(&m, usize::MAX);
        m.module.run_passes(INLINE, Some(cx.machine))?;
        m.module.run_passes(SIMPLIFY, Some(cx.machine))?;
    }
    Ok(m.advance())
}
