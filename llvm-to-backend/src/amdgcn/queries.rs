//! Answers what AMD's device libraries ask about the target.
//!
//! In: variables `__oclc_*` without a value, by which ocml and its relatives are controlled. Out: constants. *Invariant:* none is
//! left without a value, and a value that came with a library is replaced by that of the request.

use super::math::DIALECT;
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_core::{AmdgcnTarget, FloatMode, TranslateCause, amdgcn::Wave};
use sinter_llvm::ir::Value;

/// What the controls start with (ROCm Device Libraries, "Controls").
const CONTROL: &str = "__oclc_";
/// The version of the convention between code and runtime: that of code objects of version 5.
const ABI: u64 = 500;

pub(super) fn answer<S>(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let controls = m.module.globals().into_iter().filter(|global| global.name().starts_with(CONTROL));
    controls.into_iter().try_for_each(|control| set(cx, target, control))
}

fn set(cx: &Context<'_, '_>, target: &AmdgcnTarget, control: Value<'_>) -> Outcome<()> {
    let name = control.name();
    let answer = answer_to(cx, target, name.trim_start_matches(CONTROL));
    let Some(answer) = answer else {
        let message =
            format!("a library for {} asks for `{name}`, which this translator does not know", DIALECT.machine);
        return Err(TranslateCause::Unavailable { message }.into());
    };
    let literal = control.value_type().constant(answer);
    control.define_constant(literal.ok_or_else(|| Failure::internal(format!("`{name}` is no number")))?);
    Ok(())
}

fn answer_to(cx: &Context<'_, '_>, target: &AmdgcnTarget, name: &str) -> Option<u64> {
    let (approximations, fast) = (cx.config().approximations, cx.config().float_mode == FloatMode::Fast);
    let [major, minor, stepping] = target.version().map(u64::from);
    Some(match name {
        "finite_only_opt" | "unsafe_math_opt" => u64::from(fast),
        "daz_opt" => u64::from(approximations.flush_denormals),
        "correctly_rounded_sqrt32" => u64::from(!approximations.square_root),
        "wavefrontsize64" => u64::from(target.wave == Wave::Wave64),
        "wavefrontsize_log2" => u64::from(target.wave.size().trailing_zeros()),
        "ISA_version" => major * 1000 + minor * 100 + stepping,
        "ABI_version" => ABI,
        _ => return None,
    })
}
