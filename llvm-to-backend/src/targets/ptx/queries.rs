//! Answers queries of device libraries about the target.
//!
//! In: calls of `__nvvm_reflect("name")`. Out: constants, without the code that they make
//! unreachable. *Invariant:* runs at every optimisation level, since unreachable code may have
//! instructions that the target lacks. LLVM's own pass for this gets the architecture only from a
//! whole pipeline.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_core::PtxTarget;

const REFLECT: &str = "__nvvm_reflect";
/// Removes code that the answers make unreachable.
const FOLD: &str = "function(instsimplify,simplifycfg),globaldce";

pub(super) fn answer<S>(cx: &Context<'_, '_>, target: &PtxTarget, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let Some(reflect) = m.module.function(REFLECT).filter(|reflect| reflect.is_used()) else { return Ok(()) };
    for call in reflect.users().into_iter().filter(|user| user.callee() == Some(reflect)) {
        let name = call.arguments().first().and_then(|name| name.addressed_variable()?.initializer()?.characters());
        let answer = answer_to(cx, target, name.as_deref().unwrap_or_default());
        call.replace_uses(call.ty().constant(answer).ok_or_else(|| Failure::internal("an odd query of a library"))?);
        call.erase();
    }
    Ok(m.module.run_passes(FOLD, None)?)
}

/// The value of a query, named as in NVIDIA's libdevice ("libdevice User's Guide"). As there, an
/// unknown query returns 0.
fn answer_to(cx: &Context<'_, '_>, target: &PtxTarget, name: &str) -> u64 {
    let approximations = cx.config().approximations;
    match name.trim_end_matches('\0') {
        "__CUDA_ARCH" => u64::from(target.sm) * 10,
        "__CUDA_FTZ" => u64::from(approximations.flush_denormals),
        "__CUDA_PREC_DIV" => u64::from(!approximations.division),
        "__CUDA_PREC_SQRT" => u64::from(!approximations.square_root),
        _ => 0,
    }
}
