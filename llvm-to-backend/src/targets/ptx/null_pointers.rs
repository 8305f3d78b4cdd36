//! Gives null pointers to local memory a value of their own.
//!
//! In: optimised code. Out: the same, in which a null pointer survives the conversion between a
//! generic pointer and one to local memory. *Invariant:* no pointer to an object has that value.
//!
//! Where a choice between an address in local memory and the null pointer is used to access memory
//! only, LLVM makes it a choice between pointers to local memory, and converts the null pointer.
//! PTX converts by a subtraction of the window's address, whose upper half is lost: what comes back
//! is no null pointer, although the program may compare it with one.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    Session,
    ir::{Opcode, Value, ValueKind},
};
use std::collections::HashSet;

/// The type of a pointer to local memory.
const LOCAL_POINTER: &str = "ptr addrspace(3)";
/// Bits of the null pointer to local memory, which no group has so much of.
const NULL: u64 = u32::MAX as u64;

pub(super) fn keep<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let instructions = || m.defined().into_iter().flat_map(Value::instructions);
    let replaced: Vec<_> = instructions().filter(|instruction| replace_operands(*instruction)).collect();
    if replaced.is_empty() {
        return;
    }
    for cast in instructions().filter(|instruction| may_convert_null(*instruction)).collect::<Vec<_>>() {
        convert(cx.session, cast);
    }
}

/// True for the null pointer that was converted to one to local memory.
fn is_converted_null(value: Value<'_>) -> bool {
    value.kind() == ValueKind::LLVMConstantExprValueKind
        && value.constant_opcode() == Opcode::LLVMAddrSpaceCast
        && value.ty().text() == LOCAL_POINTER
        && value.operands()[0].is_null()
}

/// Replaces converted null pointers among the operands. True if there was one.
fn replace_operands(instruction: Value<'_>) -> bool {
    let operands = instruction.operands().into_iter().enumerate();
    let found: Vec<_> = operands.filter(|(_, operand)| is_converted_null(*operand)).collect();
    for (index, operand) in &found {
        let null = operand.ty().constant(NULL).expect("a pointer type has constants");
        instruction.set_operand(*index, null);
    }
    !found.is_empty()
}

/// True for a conversion of a pointer to local memory that may be null.
fn may_convert_null(instruction: Value<'_>) -> bool {
    let is_cast = instruction.opcode() == Opcode::LLVMAddrSpaceCast;
    is_cast && may_be_null(instruction.operands()[0], &mut HashSet::new())
}

fn may_be_null<'s>(pointer: Value<'s>, seen: &mut HashSet<Value<'s>>) -> bool {
    if pointer.ty().text() != LOCAL_POINTER || !seen.insert(pointer) {
        return false;
    }
    if !pointer.is_instruction() {
        return pointer.ty().constant(NULL) == Some(pointer);
    }
    let choices = match pointer.opcode() {
        Opcode::LLVMSelect => pointer.operands()[1..].to_vec(),
        Opcode::LLVMPHI => pointer.incoming().into_iter().map(|(_, value)| value).collect(),
        Opcode::LLVMFreeze => pointer.operands(),
        _ => Vec::new(),
    };
    choices.into_iter().any(|choice| may_be_null(choice, seen))
}

/// Converts by way of integers, through which LLVM does not infer address spaces again.
fn convert<'s>(session: &'s Session, cast: Value<'s>) {
    let pointer = cast.operands()[0];
    let null = pointer.ty().constant(NULL).expect("a pointer type has constants");
    let converted = cast.insert_before(|at| {
        let bits = at.cast(Opcode::LLVMPtrToInt, at.address_space_cast(pointer, cast.ty()), session.integer(64));
        let is_null = at.equal(pointer, null);
        let bits = at.select(is_null, session.literal(0), bits);
        at.cast(Opcode::LLVMIntToPtr, bits, cast.ty())
    });
    cast.replace_uses(converted);
    cast.erase();
}
