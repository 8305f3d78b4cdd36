//! Refuses atomic operations that GPUs lack.
//!
//! *Invariant:* an operation that passes is at most as wide as a pointer and aligned to its size.

use crate::{context::Context, failure::Outcome};
use sinter_llvm::ir::{Opcode, Value};

/// Refuses a wide or underaligned operation, for which LLVM would call a runtime library.
pub(crate) fn fits(cx: &Context<'_, '_>, instruction: Value<'_>, machine: &str) -> Outcome<()> {
    let value = match instruction.opcode() {
        Opcode::LLVMFence => return Ok(()),
        Opcode::LLVMLoad => instruction.ty(),
        Opcode::LLVMStore => instruction.operands()[0].ty(),
        _ => instruction.operands()[1].ty(),
    };
    let (size, alignment) = (value.store_size(cx.machine), u64::from(instruction.alignment()));
    if size > 8 {
        let what = format!("an atomic operation on {size} bytes");
        let hint = format!("{machine} has them for up to 8 bytes");
        return Err(cx.unsupported(what, instruction.location(), &hint).into());
    }
    if alignment < size {
        let what = format!("an atomic operation on {size} bytes that are aligned to {alignment}");
        return Err(cx.unsupported(what, instruction.location(), "align the value to its size").into());
    }
    Ok(())
}
