//! Lays out local memory.
//!
//! In: an item function that refers to variables in address space 3 and asks for dynamic local
//! memory. Out: the same with offsets into the local memory of the launch. *Invariant:* dynamic
//! local memory follows the static part.
//!
//! Pointers keep their address space: on the host all spaces are the same memory, and a cast
//! between them is free.

use super::builtins::is_group_memory;
use crate::{
    backend::{LOCAL_SPACE, first_use},
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::local_memory::{DYNAMIC_LOCAL_MEMORY, Grant, LINE, lay_out, variables},
};
use sinter_core::names::readable;
use sinter_llvm::{
    ir::{Opcode, Value, ValueKind},
    types::TypeView,
};

/// The driver guarantees the alignment; the size is limited by the width of an offset.
const GRANT: Grant = Grant { alignment: LINE, size: u32::MAX as u64 };

/// The value from which a pointer to local memory is computed, such as a variable. `None` if
/// nothing says that the pointer leads there.
pub(super) fn object(pointer: Value<'_>) -> Option<Value<'_>> {
    let (mut value, mut is_local) = (pointer, false);
    loop {
        is_local |= value.ty().view() == TypeView::Pointer(LOCAL_SPACE);
        let opcode = match value.kind() {
            ValueKind::LLVMInstructionValueKind => Some(value.opcode()),
            ValueKind::LLVMConstantExprValueKind => Some(value.constant_opcode()),
            _ => None,
        };
        let is_address = |opcode: &Opcode| {
            matches!(opcode, Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze)
        };
        match opcode.filter(is_address).and_then(|_| value.operands().first().copied()) {
            Some(from) => value = from,
            None => return is_local.then_some(value),
        }
    }
}

/// The variables that the rows of a group share.
pub(super) fn group_memory<'s>(m: &DeviceModule<'s, Checked>) -> Vec<Value<'s>> {
    variables(m).into_iter().filter(|variable| is_group_memory(&variable.name())).collect()
}

/// Resolves local memory in `item`, which starts at `base`. Returns the static size in bytes.
pub(super) fn place<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    item: Value<'s>,
    base: Value<'s>,
) -> Outcome<u32> {
    let local = variables(m).into_iter().filter(|variable| !is_group_memory(&variable.name())).collect();
    let placed = lay_out(cx, local, GRANT)?;
    for (variable, offset) in placed.variables {
        replace(cx, item, variable, base, offset)?;
    }
    if let Some(query) = m.module.function(DYNAMIC_LOCAL_MEMORY) {
        query.users().into_iter().for_each(|call| answer(cx, call, base, u64::from(placed.size)));
    }
    Ok(placed.size)
}

/// Replaces the uses of a variable by its address, computed at the start of `item`.
pub(super) fn replace<'s>(
    cx: &Context<'s, '_>,
    item: Value<'s>,
    variable: Value<'s>,
    base: Value<'s>,
    offset: u64,
) -> Outcome<()> {
    variable.expand_constant_users();
    let here = |user: &Value<'s>| user.is_instruction() && user.function() == item;
    if !variable.users().iter().all(here) {
        let what = format!("the local variable `{}` outside the kernel", readable(&variable.name()));
        let hint = "recursive functions, function pointers and initial values of other variables cannot refer to local \
                    memory; pass its address as an argument";
        return Err(cx.unsupported(what, first_use(variable), hint).into());
    }
    let Some(first) = item.instructions().first().copied() else { return Ok(()) };
    let address = first.insert_before(|insert| {
        insert.address_space_cast(insert.offset(base, cx.session.literal(offset)), variable.ty())
    });
    variable.replace_uses(address);
    variable.delete_global();
    Ok(())
}

fn answer<'s>(cx: &Context<'s, '_>, call: Value<'s>, base: Value<'s>, size: u64) {
    let address = call
        .insert_before(|insert| insert.address_space_cast(insert.offset(base, cx.session.literal(size)), call.ty()));
    call.replace_uses(address);
    call.erase();
}
