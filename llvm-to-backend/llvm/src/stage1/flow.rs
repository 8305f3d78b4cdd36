//! The way that control takes through a function, and the memory that it touches.
//!
//! In: blocks and instructions. Out: plain values. *Invariant:* nothing is changed but edges, which
//! may get blocks of their own.

use super::users;
use inkwell::{
    basic_block::BasicBlock,
    values::{AsValueRef, FunctionValue, InstructionOpcode, InstructionValue},
};
use llvm_sys::{
    LLVMTailCallKind,
    core::{LLVMGetNumSuccessors, LLVMGetSuccessor, LLVMGetTailCallKind},
    prelude::LLVMValueRef,
};
use std::ffi::c_int;

unsafe extern "C" {
    fn sinter_is_private(instruction: LLVMValueRef) -> c_int;
    fn sinter_has_private_frame(function: LLVMValueRef) -> c_int;
    fn sinter_split_normal_edge(invoke: LLVMValueRef);
}

/// True if control reaches the next instruction, or a successor, and if the instruction touches no
/// memory that anybody outside its function knows, other than constants. The end of the life of a
/// variable touches it. `malloc` and its kin do not.
pub fn is_private(instruction: InstructionValue<'_>) -> bool {
    // SAFETY: a live instruction.
    unsafe { sinter_is_private(instruction.as_value_ref()) != 0 }
}

/// True if nobody outside a function knows a variable that ends with it.
pub fn has_private_frame(function: FunctionValue<'_>) -> bool {
    // SAFETY: a live function.
    unsafe { sinter_has_private_frame(function.as_value_ref()) != 0 }
}

/// True for a call that ends its block: control goes on elsewhere after an exception.
pub fn is_invoke(call: InstructionValue<'_>) -> bool {
    call.get_opcode() == InstructionOpcode::Invoke
}

/// Puts a new block, which only leads on, between an invoke and its normal successor.
pub fn split_normal_edge(invoke: InstructionValue<'_>) {
    debug_assert!(is_invoke(invoke), "only these have such a successor");
    // SAFETY: a live invoke.
    unsafe { sinter_split_normal_edge(invoke.as_value_ref()) };
}

/// The number of places that refer to a function.
pub fn uses(function: FunctionValue<'_>) -> usize {
    users(function.as_value_ref()).len()
}

/// True for a call whose caller does nothing behind it but return.
pub fn is_must_tail(call: InstructionValue<'_>) -> bool {
    // SAFETY: a live call.
    unsafe { LLVMGetTailCallKind(call.as_value_ref()) == LLVMTailCallKind::LLVMTailCallKindMustTail }
}

/// The successors of a block, one for each edge; of an invoke the normal one is the first.
pub fn successors<'ctx>(block: BasicBlock<'ctx>) -> Vec<BasicBlock<'ctx>> {
    let Some(end) = block.get_terminator() else { return Vec::new() };
    // SAFETY: a terminator.
    let count = unsafe { LLVMGetNumSuccessors(end.as_value_ref()) };
    // SAFETY: a terminator, and the number of one of its successors.
    let successor = |number| unsafe { LLVMGetSuccessor(end.as_value_ref(), number) };
    // SAFETY: live blocks.
    (0..count).filter_map(|number| unsafe { BasicBlock::new(successor(number)) }).collect()
}
