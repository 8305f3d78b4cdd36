//! Makes each request for local memory a variable of the work-group.
//!
//! In: calls of `__sinter_local_memory(size, alignment)` in the kernel. Out: one internal variable in the local address
//! space for each call. *Invariant:* runs after the functions that ask have been inlined into the kernel and before any
//! pass that may copy a call, so that each place in the source that asks is one variable.

use crate::{
    backend::LOCAL_SPACE,
    context::Context,
    device_module::{DeviceModule, Linked, Placed},
    failure::Outcome,
    passes::fold::fold,
};
use sinter_core::TranslateCause;
use sinter_llvm::ir::{Opcode, Value};

/// The builtin.
const LOCAL_MEMORY: &str = "__sinter_local_memory";
/// More than any target has (the largest today is 228 KiB), and small enough for sizes to be added up.
const LARGEST: u64 = 1 << 30;
/// The largest alignment of a type with a use in local memory: a page.
const LARGEST_ALIGNMENT: u64 = 4096;

pub(crate) fn local_memory<'s>(cx: &Context<'s, '_>, m: DeviceModule<'s, Linked>) -> Outcome<DeviceModule<'s, Placed>> {
    let Some(builtin) = m.module.function(LOCAL_MEMORY).filter(|builtin| builtin.is_used()) else {
        return Ok(m.advance());
    };
    if builtin.users().into_iter().any(|call| size_and_alignment(builtin, call).is_none()) {
        fold(&m)?;
    }
    // Folding may have removed it.
    let Some(builtin) = m.module.function(LOCAL_MEMORY) else { return Ok(m.advance()) };
    builtin.users().into_iter().try_for_each(|call| allocate(cx, &m, builtin, call))?;
    builtin.delete();
    Ok(m.advance())
}

fn allocate(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>, builtin: Value<'_>, call: Value<'_>) -> Outcome<()> {
    let Some((size, alignment)) = size_and_alignment(builtin, call) else { return Err(odd_request(cx, call).into()) };
    if size > LARGEST {
        return Err(cx.too_much_local_memory(size, LARGEST, call.location()).into());
    }
    if call.function() != m.kernel {
        return Err(misplaced(cx, call).into());
    }
    if call.is_used() {
        call.replace_uses(m.module.add_bytes("local_memory", size, alignment, LOCAL_SPACE));
    }
    call.erase();
    Ok(())
}

/// What a call asks for; `None` where it is not a plain call with a literal size and an alignment in range.
fn size_and_alignment(builtin: Value<'_>, call: Value<'_>) -> Option<(u64, u32)> {
    let is_call = call.is_call() && call.opcode() == Opcode::LLVMCall && call.callee() == Some(builtin);
    if !is_call || call.address_space() != Some(LOCAL_SPACE) {
        return None;
    }
    let [size, alignment] = <[Value<'_>; 2]>::try_from(call.arguments()).ok()?;
    let (size, alignment) = (size.integer()?, alignment.integer()?);
    let is_aligned = alignment.is_power_of_two() && alignment <= LARGEST_ALIGNMENT;
    is_aligned.then_some((size, u32::try_from(alignment).ok()?))
}

fn odd_request(cx: &Context<'_, '_>, call: Value<'_>) -> TranslateCause {
    let location = if call.is_instruction() { call.location() } else { None };
    let hint = "its size must be a constant and its alignment a power of two of at most 4096; for a size that is known \
                at launch, use a `local_accessor`";
    cx.unsupported("local memory whose size or alignment is not a constant in range", location, hint)
}

fn misplaced(cx: &Context<'_, '_>, call: Value<'_>) -> TranslateCause {
    let what = format!("local memory in `{}`, which cannot be inlined into the kernel", call.function().name());
    let hint = "recursive functions and function pointers must get a pointer to local memory as an argument";
    cx.unsupported(what, call.location(), hint)
}
