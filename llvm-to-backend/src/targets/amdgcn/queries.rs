//! Answers queries of device libraries about the target.
//!
//! In: calls of `__sinter_amdgcn_*`, and the control variables `__oclc_*` of AMD's device
//! libraries. Out: constants, without the code that they make unreachable. *Invariant:* no query
//! remains, and the request's value replaces one that came with a library. Runs at every
//! optimisation level, since unreachable code may have instructions that the target lacks.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_core::{AmdgcnTarget, FloatMode, amdgcn::Wave};
use sinter_llvm::ir::Value;

/// Name prefix of the control variables (ROCm Device Libraries, "Controls").
const CONTROL: &str = "__oclc_";
/// ABI version: that of code object version 5.
const ABI: u64 = 500;

/// Queries of Sinter's own builtins.
const ISA: &str = "__sinter_amdgcn_isa";
const WAVE_SIZE: &str = "__sinter_amdgcn_wave_size";
/// Removes code that the answers make unreachable.
const FOLD: &str = "function(early-cse<>,instsimplify,simplifycfg),globaldce";

pub(super) fn answer<S>(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let asked = [(ISA, isa(target)), (WAVE_SIZE, u64::from(target.wave.size()))];
    let calls = asked.into_iter().filter_map(|(name, answer)| replace(m.module.function(name)?, answer)).count();
    let controls = m.module.globals().into_iter().filter(|global| global.name().starts_with(CONTROL));
    let controls: Vec<_> = controls.filter(|control| control.is_used()).collect();
    controls.iter().try_for_each(|control| set(cx, target, *control))?;
    if calls + controls.len() > 0 {
        m.module.run_passes(FOLD, None)?;
    }
    Ok(())
}

/// Replaces the results of a query by its answer. `None` if the module never calls it.
fn replace(query: Value<'_>, answer: u64) -> Option<()> {
    let literal = query.return_type().constant(answer)?;
    let calls: Vec<_> = query.users().into_iter().filter(|user| user.callee() == Some(query)).collect();
    calls.first()?;
    for call in calls {
        call.replace_uses(literal);
        call.erase();
    }
    Some(())
}

/// The version of the instruction set, as AMD's own libraries number it: 9010 is gfx90a.
fn isa(target: &AmdgcnTarget) -> u64 {
    let [major, minor, stepping] = target.version().map(u64::from);
    major * 1000 + minor * 100 + stepping
}

fn set(cx: &Context<'_, '_>, target: &AmdgcnTarget, control: Value<'_>) -> Outcome<()> {
    let name = control.name();
    let answer = answer_to(cx, target, name.trim_start_matches(CONTROL));
    let Some(answer) = answer else {
        let what = format!("the library that was given, which asks for the control `{name}`,");
        let hint = "this translator does not know the control; give the library of another version of ROCm, or none to use the \
                    functions that are built in";
        return Err(cx.unsupported(what, None, hint).into());
    };
    let literal = control.value_type().constant(answer);
    control.define_constant(literal.ok_or_else(|| Failure::internal(format!("`{name}` is not a number")))?);
    Ok(())
}

fn answer_to(cx: &Context<'_, '_>, target: &AmdgcnTarget, name: &str) -> Option<u64> {
    let (approximations, fast) = (cx.config().approximations, cx.config().float_mode == FloatMode::Fast);
    Some(match name {
        "finite_only_opt" | "unsafe_math_opt" => u64::from(fast),
        "daz_opt" => u64::from(approximations.flush_denormals),
        "correctly_rounded_sqrt32" => u64::from(!approximations.square_root),
        "wavefrontsize64" => u64::from(target.wave == Wave::Wave64),
        "wavefrontsize_log2" => u64::from(target.wave.size().trailing_zeros()),
        "ISA_version" => isa(target),
        "ABI_version" => ABI,
        _ => return None,
    })
}
