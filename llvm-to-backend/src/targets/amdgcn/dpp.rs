//! Keeps LLVM from folding DPP moves into instructions that cannot read their source operand.
//!
//! In: 32-bit exchanges between work-items (`llvm.amdgcn.update.dpp`). Out: the same with the
//! source passed through empty inline assembly, which forces it into a vector register.
//! *Invariant:* this affects processors whose DPP instructions accept scalar registers only for the
//! other operand. There LLVM 19.1.7 folds an exchange into `V_ADD_CO_U32_e64_dpp`,
//! `V_MIN_U16_t16_e64_dpp` and others, and then replaces the exchanged operand by a uniform value
//! in a scalar register (`SIFoldOperands`), which its own verifier refuses.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::link_text,
};
use sinter_core::AmdgcnTarget;
use sinter_llvm::ir::Value;

/// The first ISA version with such instructions (LLVM 19, `FeatureDPPSrc1SGPR`).
const FIRST: [u32; 2] = [11, 5];
/// The intrinsics, each with the index of the exchanged argument.
const EXCHANGES: [(&str, usize); 2] = [("llvm.amdgcn.update.dpp.i32", 1), ("llvm.amdgcn.mov.dpp.i32", 0)];
const KEPT: &str = "sinter.kept";
const TEXT: &str = "define i32 @sinter.kept(i32 %x) alwaysinline convergent nounwind {
  %y = call i32 asm \"\", \"=v,0\"(i32 %x)
  ret i32 %y
}
";

/// Returns false if the module has no such exchange.
pub(super) fn keep<S>(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let [major, minor, _] = target.version();
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let exchanges: Vec<_> = instructions.filter_map(|i| Some((i, exchanged(i)?))).collect();
    if [major, minor] < FIRST || exchanges.is_empty() {
        return Ok(false);
    }
    let integer = cx.session.integer(32);
    m.module.declare(KEPT, integer, &[integer]);
    link_text(cx, m, TEXT)?.into_iter().for_each(Value::make_internal);
    let kept = m.module.function(KEPT).ok_or_else(|| Failure::internal(format!("{KEPT} was not linked")))?;
    for (exchange, argument) in exchanges {
        let value = exchange.arguments()[argument];
        exchange.set_operand(argument, exchange.insert_before(|insert| insert.call(kept, &[value])));
    }
    Ok(true)
}

/// Index of the argument that the instruction exchanges. `None` for other instructions.
fn exchanged(instruction: Value<'_>) -> Option<usize> {
    let name = instruction.callee()?.name();
    EXCHANGES.iter().find(|(exchange, _)| name == *exchange).map(|(_, argument)| *argument)
}
