//! Lowers `printf` to the driver's `vprintf`.
//!
//! In: calls with any number of arguments. Out: calls with the arguments in one block of memory,
//! each at its natural alignment (CUDA C++ Programming Guide, "Formatted Output"). *Invariant:*
//! runs before the optimiser, which can then optimise the blocks.

use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::Value;

const PRINTF: &str = "printf";
const VPRINTF: &str = "vprintf";
const DRIVERS_TYPE: &str = "i32 (ptr, ptr)";
const OTHER: &str = "vprintf.program";

pub(super) fn lower<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let (pointer, integer) = (cx.session.pointer(), cx.session.integer(32));
    set_aside(m);
    let Some(printf) = m.module.function(PRINTF).filter(|printf| printf.is_declaration()) else { return Ok(()) };
    let vprintf = m.module.function(VPRINTF).unwrap_or_else(|| m.module.declare(VPRINTF, integer, &[pointer, pointer]));
    for call in printf.users().into_iter().filter(|user| user.callee() == Some(printf) && user.ty() == integer) {
        let Some((format, values)) = call.arguments().split_first().map(|(format, rest)| (*format, rest.to_vec()))
        else {
            continue;
        };
        let block = block(cx, call, &values);
        let result = call.insert_before(|insert| insert.call(vprintf, &[format, block]));
        call.replace_uses(result);
        call.erase();
    }
    Ok(())
}

/// Renames a function of the program that has the name of the driver's.
fn set_aside<S>(m: &DeviceModule<'_, S>) {
    let others = |function: &Value<'_>| !function.is_declaration() || function.value_type().text() != DRIVERS_TYPE;
    m.module.function(VPRINTF).filter(others).into_iter().for_each(|function| function.set_name(OTHER));
}

/// An alloca that holds `values`, in the entry block because the call may be in a loop.
fn block<'s>(cx: &Context<'s, '_>, call: Value<'s>, values: &[Value<'s>]) -> Value<'s> {
    let (mut end, mut offsets) = (0u64, Vec::new());
    for value in values {
        let offset = end.next_multiple_of(u64::from(value.ty().alignment(cx.machine).max(1)));
        offsets.push(offset);
        end = offset + value.ty().store_size(cx.machine);
    }
    let Some(first) = call.function().instructions().first().copied() else { return call };
    let room = first.insert_before(|insert| insert.room_for(cx.session.integer(64), end.div_ceil(8).max(1)));
    call.insert_before(|insert| {
        for (value, offset) in values.iter().zip(offsets) {
            insert.store(*value, insert.offset(room, cx.session.literal(offset)));
        }
    });
    room
}
