//! Outlines divisions that many places share.
//!
//! In: optimised code. Out: the same; if it divides 64-bit integers at more than [`MOST`] places,
//! the divisions are calls of one function for each operation. *Invariant:* a kernel with fewer
//! keeps its divisions inline.
//!
//! No GPU has an instruction for 64-bit division. Its compiler emits 60 to 150 instructions for
//! each one, and its compile time grows faster than their number. A call costs less than a tenth of
//! the division.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    passes::library_calls::text::{Definition, Large, replace},
};
use sinter_llvm::ir::{Opcode, Value};

/// Maximum divisions that stay inline: 16 of them are about as much code as the rest of a usual
/// kernel.
const MOST: usize = 16;

pub(crate) fn divisions<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let all = m.defined().into_iter().flat_map(Value::instructions);
    let found: Vec<_> = all.filter_map(|i| Some((i, definition(i)?))).collect();
    if found.len() <= MOST { Ok(false) } else { replace(cx, m, "sinter.division", Large::Called, found) }
}

/// The function that replaces a 64-bit division. `None` for other instructions and for constant
/// divisors.
fn definition(instruction: Value<'_>) -> Option<Definition> {
    let operation = match instruction.opcode() {
        Opcode::LLVMUDiv => "udiv",
        Opcode::LLVMURem => "urem",
        Opcode::LLVMSDiv => "sdiv",
        Opcode::LLVMSRem => "srem",
        _ => return None,
    };
    let by_literal = instruction.operands().get(1).is_some_and(|divisor| divisor.integer().is_some());
    (instruction.ty().text() == "i64" && !by_literal).then(|| Definition {
        text: format!(
            "define i64 @NAME(i64 %a, i64 %b) noinline nounwind memory(none) {{\n  \
             %r = {operation} i64 %a, %b\n  ret i64 %r\n}}\n"
        ),
        taken: vec![0, 1],
    })
}
