//! What the host CPU cannot run.
//!
//! *Invariant:* an index query, a barrier or a query of local memory that is left stands in the kernel itself, where the
//! work-item loops answer it.

use super::builtins::{BARRIER, is_answered};
use crate::{
    backend::first_use,
    context::Context,
    device_module::{DeviceModule, Linked},
    failure::Outcome,
    local_memory::DYNAMIC_LOCAL_MEMORY,
};
use sinter_llvm::ir::{Opcode, Shape, Value};

/// Private memory of a work-item. Worker threads have stacks of 2 MiB by default (`std::thread`); half of that is
/// left to the runtime and to libm.
const PRIVATE_MEMORY: u64 = 1 << 20;
pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    sizes_are_known(cx, m)?;
    group_builtins_are_typed(cx, m)?;
    group_builtins_in_kernel(cx, m)?;
    private_memory_fits(cx, m)
}

/// Vectors of a length that the processor chooses, and types of one target, are not the host's.
fn sizes_are_known(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let foreign = |i: &Value<'_>| {
        let reserved = (i.opcode() == Opcode::LLVMAlloca).then(|| i.allocated_type());
        [Some(i.ty()), reserved].into_iter().flatten().any(|ty| !ty.has_known_size() && ty.text() != "token")
    };
    match m.defined().into_iter().flat_map(Value::instructions).find(foreign) {
        Some(instruction) => {
            let what = format!("a value of the type `{}`", instruction.ty().text());
            Err(cx.unsupported(what, instruction.location(), "use a vector of a fixed length").into())
        }
        None => Ok(()),
    }
}

/// The barrier gives nothing, the query of local memory a pointer.
fn group_builtins_are_typed(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let wrong = |f: &Value<'_>| match f.name().as_str() {
        BARRIER => f.return_type().text() != "void",
        DYNAMIC_LOCAL_MEMORY => f.return_type().shape() != Shape::Pointer,
        _ => false,
    };
    match m.undefined().into_iter().find(wrong) {
        Some(builtin) => {
            let what =
                format!("`{}` declared as a function that returns `{}`", builtin.name(), builtin.return_type().text());
            let hint = "declare it as docs/abi.md says";
            Err(cx.unsupported(what, first_use(builtin), hint).into())
        }
        None => Ok(()),
    }
}

/// Functions that are left were not merged because they are recursive or called through a pointer.
fn group_builtins_in_kernel(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let misplaced =
        |builtin: &Value<'_>, user: &Value<'_>| !(user.callee() == Some(*builtin) && user.function() == m.kernel);
    for builtin in m.undefined().into_iter().filter(|f| is_answered(&f.name())) {
        if let Some(user) = builtin.users().into_iter().find(|user| misplaced(&builtin, user)) {
            let location = if user.is_instruction() { user.location() } else { None };
            let what = format!("`{}` in a function that cannot be merged into the kernel", builtin.name());
            let hint = "recursive functions and function pointers must get indices and local memory as arguments, and \
                        cannot wait at barriers";
            return Err(cx.unsupported(what, location, hint).into());
        }
    }
    Ok(())
}

/// What is left of calls may nest, so the functions share the limit. Unoptimised, each piece between two barriers has
/// variables of its own on the stack.
fn private_memory_fits(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let (mut total, mut first) = (0u64, None);
    for alloca in instructions.filter(|i| i.opcode() == Opcode::LLVMAlloca) {
        first = first.or_else(|| alloca.location());
        let Some(size) = alloca.allocated_size(cx.machine) else {
            let hint = "give the array a constant size, or use a buffer in global memory";
            return Err(cx.unsupported("a private array of variable length", alloca.location(), hint).into());
        };
        total = total.saturating_add(size);
    }
    let total = total.saturating_mul(if cx.optimise() { 1 } else { pieces(m) });
    if total > PRIVATE_MEMORY {
        let what = format!("{total} bytes of private memory per work-item");
        return Err(cx.unsupported(what, first, "the limit is 1 MiB; use a buffer in global memory").into());
    }
    Ok(())
}

/// How often the body of the kernel is in its entry: once for each state, and once for items in different states.
fn pieces(m: &DeviceModule<'_, Linked>) -> u64 {
    match m.module.function(BARRIER).map_or(0, |barrier| barrier.users().len() as u64) {
        0 => 1,
        barriers => barriers + 2,
    }
}
