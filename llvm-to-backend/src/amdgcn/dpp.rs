//! Keeps LLVM from merging exchanges between work-items into additions of 64 bits.
//!
//! In: exchanges of 32 bits (`llvm.amdgcn.update.dpp`) whose results are halves of wider numbers. Out: the same with each result taken
//! through an empty piece of assembly. *Invariant:* for processors of the twelfth generation only: there LLVM 19.1.7 merges the
//! exchange into `V_ADD_CO_U32_e64_dpp` and then puts a scalar register where that instruction takes a vector register only
//! (`SIFoldOperands`), which its own verifier refuses.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    gpu::template::link_text,
};
use sinter_core::AmdgcnTarget;
use sinter_llvm::ir::{Opcode, Value};

/// The first generation whose instructions of this kind take scalar registers at all.
const GENERATION: u32 = 12;
const EXCHANGES: [&str; 2] = ["llvm.amdgcn.update.dpp.i32", "llvm.amdgcn.mov.dpp.i32"];
const KEPT: &str = "sinter.kept";
const TEXT: &str = "define i32 @sinter.kept(i32 %x) alwaysinline convergent nounwind {
  %y = call i32 asm \"\", \"=v,0\"(i32 %x)
  ret i32 %y
}
";

/// False where there is nothing to keep.
pub(super) fn keep<S>(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let halves: Vec<_> = instructions.filter(|i| is_exchange(*i)).flat_map(halves).collect();
    if target.version()[0] < GENERATION || halves.is_empty() {
        return Ok(false);
    }
    let integer = cx.session.integer(32);
    m.module.declare(KEPT, integer, &[integer]);
    link_text(cx, m, TEXT)?.into_iter().for_each(Value::make_internal);
    let kept = m.module.function(KEPT).ok_or_else(|| Failure::internal(format!("{KEPT} was not linked")))?;
    for (exchange, user) in halves {
        user.replace_operand(exchange, user.insert_before(|insert| insert.call(kept, &[exchange])));
    }
    Ok(true)
}

fn is_exchange(instruction: Value<'_>) -> bool {
    instruction.callee().is_some_and(|callee| EXCHANGES.contains(&callee.name().as_str()))
}

/// An exchange with each instruction that makes a wider number of its result.
fn halves(exchange: Value<'_>) -> Vec<(Value<'_>, Value<'_>)> {
    let widens = |user: &Value<'_>| {
        user.is_instruction()
            && matches!(user.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMInsertElement)
    };
    exchange.users().into_iter().filter(widens).map(|user| (exchange, user)).collect()
}
