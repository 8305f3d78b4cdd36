//! Finds structures passed by value that a work-item modifies.
//!
//! In: a parameter that points to the work-item's copy. Out: true if the copy may differ between
//! work-items. *Invariant:* false is certain: the copy is only read.

use sinter_llvm::ir::{Opcode, Value};

/// True if memory behind `pointer` may be written, or its address captured.
pub(super) fn changes(pointer: Value<'_>) -> bool {
    change(pointer).is_some()
}

/// The instruction that may.
pub(super) fn change<'s>(pointer: Value<'s>) -> Option<Value<'s>> {
    let mut queue = vec![pointer];
    while let Some(value) = queue.pop() {
        for user in value.users() {
            match user.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMGetElementPtr => queue.push(user),
                _ => return Some(user),
            }
        }
    }
    None
}
