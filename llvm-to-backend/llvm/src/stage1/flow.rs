//! The way that control takes through a function, and the memory that it touches.
//!
//! In: blocks and instructions. Out: plain values. *Invariant:* nothing is changed.

use inkwell::{
    basic_block::BasicBlock,
    values::{AsValueRef, InstructionValue},
};
use llvm_sys::{
    core::{LLVMGetNumSuccessors, LLVMGetSuccessor},
    prelude::LLVMValueRef,
};
use std::ffi::c_int;

unsafe extern "C" {
    fn sinter_is_private(instruction: LLVMValueRef) -> c_int;
}

/// True if control reaches the next instruction, or a successor, and if the instruction touches no
/// memory that anybody outside its function knows, other than constants. The end of the life of a
/// variable touches it.
pub fn is_private(instruction: InstructionValue<'_>) -> bool {
    // SAFETY: a live instruction.
    unsafe { sinter_is_private(instruction.as_value_ref()) != 0 }
}

/// The successors of a block, one for each edge.
pub fn successors<'ctx>(block: BasicBlock<'ctx>) -> Vec<BasicBlock<'ctx>> {
    let Some(end) = block.get_terminator() else { return Vec::new() };
    // SAFETY: a terminator.
    let count = unsafe { LLVMGetNumSuccessors(end.as_value_ref()) };
    // SAFETY: a terminator, and the number of one of its successors.
    let successor = |number| unsafe { LLVMGetSuccessor(end.as_value_ref(), number) };
    // SAFETY: live blocks.
    (0..count).filter_map(|number| unsafe { BasicBlock::new(successor(number)) }).collect()
}
