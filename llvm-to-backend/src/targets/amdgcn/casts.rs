//! Leads casts between address spaces through the generic one.
//!
//! In: optimised code. Out: the same in which each cast is from or to a generic pointer. *Invariant:* what the image itself casts
//! otherwise was refused before the optimiser, which makes such casts of two casts where it knows what a pointer leads to, in
//! branches that are not taken; the code generator does not select them.
//!
//! The address of a variable has no meaning in another memory and becomes no address in particular: constants are folded again when
//! they are made.

use crate::{
    context::Context,
    device_module::DeviceModule,
    targets::gpu::{CONSTANT_SPACE, GLOBAL_SPACE},
};
use sinter_llvm::ir::{Opcode, Value, ValueKind};
use std::collections::HashSet;

/// Global and constant memory, which are one.
const GLOBAL_AND_CONSTANT: [u32; 2] = [GLOBAL_SPACE, CONSTANT_SPACE];

pub(super) fn settle<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for cast in m.defined().into_iter().flat_map(Value::instructions).filter(|i| is_direct(*i)) {
        let pointer = cast.operands()[0];
        cast.set_operand(0, cast.insert_before(|insert| insert.address_space_cast(pointer, cx.session.pointer())));
    }
    // Replacing a constant makes others of those that hold it.
    while let Some(constant) = m.defined().into_iter().flat_map(Value::instructions).find_map(odd_constant) {
        constant.replace_uses(constant.ty().poison());
    }
}

/// A cast of an address that leads nowhere, among what an instruction uses.
fn odd_constant(instruction: Value<'_>) -> Option<Value<'_>> {
    let (mut seen, mut queue) = (HashSet::new(), instruction.operands());
    while let Some(constant) = queue.pop() {
        if constant.kind() != ValueKind::LLVMConstantExprValueKind || !seen.insert(constant) {
            continue;
        }
        if leads_nowhere(constant) {
            return Some(constant);
        }
        queue.extend(constant.operands());
    }
    None
}

/// Whether a constant is an address in another memory than its own.
fn leads_nowhere(constant: Value<'_>) -> bool {
    let is_one = |space| GLOBAL_AND_CONSTANT.contains(&space);
    constant.constant_cast().is_some_and(|(from, to)| from != 0 && to != 0 && !(is_one(from) && is_one(to)))
}

/// Whether an instruction casts between two address spaces that are not the generic one.
fn is_direct(instruction: Value<'_>) -> bool {
    let is_generic = |value: Value<'_>| value.address_space() == Some(0);
    let is_cast = instruction.opcode() == Opcode::LLVMAddrSpaceCast && instruction.address_space().is_some();
    is_cast && !is_generic(instruction) && instruction.operands().into_iter().all(|operand| !is_generic(operand))
}
