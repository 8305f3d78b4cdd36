//! Gives local memory its place.
//!
//! In: an item function that refers to variables in address space 3 and asks for dynamic local memory. Out: the same
//! with offsets into the local memory of the launch. *Invariant:* each variable has its alignment; dynamic local memory
//! follows the static part, whose size is a multiple of [`LINE`].
//!
//! Pointers keep their address space: on the host all of them are one, and a cast between them is no instruction.

use super::builtins::DYNAMIC_LOCAL_MEMORY;
use crate::{
    backend::{LOCAL_SPACE, first_use},
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
};
use sinter_llvm::ir::Value;

/// Alignment of local memory and of its dynamic part, in bytes: what the driver promises.
pub(super) const LINE: u64 = 64;

/// Resolves local memory in `item`, whose local memory starts at `base`. Returns the size of the static part.
pub(super) fn place<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    item: Value<'s>,
    base: Value<'s>,
) -> Outcome<u32> {
    let mut end = 0u64;
    for variable in variables(m) {
        let offset = place_one(cx, variable, end)?;
        end = offset.saturating_add(variable.value_type().alloc_size(cx.machine));
        replace(cx, item, variable, base, offset)?;
    }
    let size = end.next_multiple_of(LINE);
    if let Some(query) = m.module.function(DYNAMIC_LOCAL_MEMORY) {
        query.users().into_iter().for_each(|call| answer(cx, call, base, size));
    }
    u32::try_from(size).map_err(|_| cx.unsupported("4 GiB of local memory", None, "use global memory").into())
}

/// The variables of local memory that are used.
fn variables<'s>(m: &DeviceModule<'s, Checked>) -> Vec<Value<'s>> {
    let globals = m.module.globals().into_iter();
    globals.filter(|global| global.address_space() == Some(LOCAL_SPACE) && global.is_used()).collect()
}

/// The offset of a variable behind `end`.
fn place_one(cx: &Context<'_, '_>, variable: Value<'_>, end: u64) -> Outcome<u64> {
    let name = || sinter_llvm::demangle(&variable.name());
    if !variable.initializer().is_none_or(Value::is_undefined_or_zero) {
        let hint = "local memory starts undefined; assign the value in the kernel, then call a barrier";
        let what = format!("the initial value of the local variable `{}`", name());
        return Err(cx.unsupported(what, first_use(variable), hint).into());
    }
    let alignment = u64::from(variable.alignment().max(variable.value_type().alignment(cx.machine)).max(1));
    if alignment > LINE {
        let what = format!("the local variable `{}` with an alignment of {alignment} bytes", name());
        return Err(cx.unsupported(what, first_use(variable), "the host aligns local memory to 64 bytes").into());
    }
    Ok(end.next_multiple_of(alignment))
}

/// Puts the address of a variable, computed at the start of `item`, wherever the variable is used.
fn replace<'s>(
    cx: &Context<'s, '_>,
    item: Value<'s>,
    variable: Value<'s>,
    base: Value<'s>,
    offset: u64,
) -> Outcome<()> {
    variable.expand_constant_users();
    let here = |user: &Value<'s>| user.is_instruction() && user.function() == item;
    if !variable.users().iter().all(here) {
        let what = format!("the local variable `{}` outside the kernel", sinter_llvm::demangle(&variable.name()));
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
