//! Moves allocas to the stack's address space.
//!
//! In: allocas anywhere. Out: allocas in the address space of the data layout, at the start of
//! their block. *Invariant:* no stack object is in the generic address space.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::ir::{Opcode, Value};

/// Replaces generic allocas. A parameter passed by value in memory is copied by the callee, because
/// LLVM's code generator assumes that its address is in private memory.
pub(crate) fn place_stack<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let defined = m.defined();
    for function in defined.iter().filter(|function| **function != m.kernel) {
        function.copy_by_value_parameters(cx.machine);
    }
    let instructions: Vec<_> = defined.into_iter().flat_map(Value::instructions).collect();
    instructions.iter().filter(|i| i.is_call()).for_each(|call| call.remove_byval_of_arguments());
    let reserved = instructions.into_iter().filter(|i| i.opcode() == Opcode::LLVMAlloca);
    // Moving one erases its lifetime markers, so all are collected first.
    let reserved: Vec<_> = reserved.filter(|alloca| alloca.address_space() == Some(0)).collect();
    reserved.into_iter().for_each(|alloca| alloca.move_to_stack_space(&m.module));
    m.defined().into_iter().for_each(gather_stack);
}

/// Moves the allocas of the entry block to its start. After a copy that is lowered to a loop, LLVM
/// would treat an alloca as dynamic.
pub(crate) fn gather_stack(function: Value<'_>) {
    let instructions = function.blocks().first().map(|block| block.instructions()).unwrap_or_default();
    let is_fixed = |value: &Value<'_>| {
        value.opcode() == Opcode::LLVMAlloca && value.operands().iter().all(|size| size.integer().is_some())
    };
    let Some(first) = instructions.iter().position(|instruction| !is_fixed(instruction)) else { return };
    let late = instructions[first..].iter().filter(|instruction| is_fixed(instruction));
    late.for_each(|alloca| alloca.move_before(instructions[first]));
}
