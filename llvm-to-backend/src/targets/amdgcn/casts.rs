//! Splits casts between two specific address spaces into two casts through the generic one.
//!
//! In: optimised code. Out: the same in which each cast is from or to a generic pointer.
//! *Invariant:* such casts in the image itself were refused before the optimiser. The optimiser
//! folds two casts into one where it knows the address space of a pointer, in branches that are not
//! taken; the code generator cannot select them.
//!
//! A constant cast of a variable's address to another memory becomes poison: a new cast would be
//! folded again at once.

use crate::{
    context::Context,
    device_module::DeviceModule,
    targets::gpu::{CONSTANT_SPACE, GLOBAL_SPACE},
};
use sinter_llvm::ir::{Opcode, Value, ValueKind};
use std::collections::HashSet;

/// Global and constant memory share their addresses.
const GLOBAL_AND_CONSTANT: [u32; 2] = [GLOBAL_SPACE, CONSTANT_SPACE];

pub(super) fn settle<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for cast in m.defined().into_iter().flat_map(Value::instructions).filter(|i| is_direct(*i)) {
        let pointer = cast.operands()[0];
        cast.set_operand(0, cast.insert_before(|insert| insert.address_space_cast(pointer, cx.session.pointer())));
    }
    // Replacing a constant recreates the constants that contain it.
    while let Some(constant) = m.defined().into_iter().flat_map(Value::instructions).find_map(odd_constant) {
        constant.replace_uses(constant.ty().poison());
    }
}

/// A constant cast between disjoint memories, in an operand of the instruction at any depth.
fn odd_constant(instruction: Value<'_>) -> Option<Value<'_>> {
    let (mut seen, mut queue) = (HashSet::new(), instruction.operands());
    while let Some(constant) = queue.pop() {
        if constant.kind() != ValueKind::LLVMConstantExprValueKind || !seen.insert(constant) {
            continue;
        }
        if casts_between_disjoint_spaces(constant) {
            return Some(constant);
        }
        queue.extend(constant.operands());
    }
    None
}

/// True for a constant cast between disjoint memories, neither of them generic.
fn casts_between_disjoint_spaces(constant: Value<'_>) -> bool {
    let is_one = |space| GLOBAL_AND_CONSTANT.contains(&space);
    constant.constant_cast().is_some_and(|(from, to)| from != 0 && to != 0 && !(is_one(from) && is_one(to)))
}

/// True for a cast between two address spaces that are not the generic one.
fn is_direct(instruction: Value<'_>) -> bool {
    let is_generic = |value: Value<'_>| value.address_space() == Some(0);
    let is_cast = instruction.opcode() == Opcode::LLVMAddrSpaceCast && instruction.address_space().is_some();
    is_cast && !is_generic(instruction) && instruction.operands().into_iter().all(|operand| !is_generic(operand))
}
