//! What the host CPU cannot run.
//!
//! *Invariant:* an index query, a barrier or a query of local memory that is left stands in the kernel itself, where the
//! work-item loops answer it.

use super::builtins::{BARRIER, is_answered};
use crate::{
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::Outcome,
};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};

/// Private memory of a work-item. Worker threads have stacks of 2 MiB by default (`std::thread`); half of that is
/// left to the runtime and to libm.
const PRIVATE_MEMORY: u64 = 1 << 20;

pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    sizes_are_known(cx, m)?;
    group_builtins_in_kernel(cx, m)?;
    private_memory_fits(cx, m)
}

/// Formats that no host CPU has. LLVM calls functions for them, some of them by the names that libm has for `long double`.
const FOREIGN_FORMATS: [&str; 3] = ["fp128", "ppc_fp128", "x86_amx"];

/// Vectors of a length that the processor chooses, and types of other targets, are not the host's.
fn sizes_are_known(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let foreign = |i: &Value<'_>| {
        let reserved = (i.opcode() == Opcode::LLVMAlloca).then(|| i.allocated_type());
        [Some(i.ty()), reserved].into_iter().flatten().any(|ty| !ty.has_known_size() && ty.text() != "token")
    };
    formats_are_known(cx, m)?;
    match m.defined().into_iter().flat_map(Value::instructions).find(foreign) {
        Some(instruction) => {
            let what = format!("a value of the type `{}`", instruction.ty().text());
            Err(cx.unsupported(what, instruction.location(), "use a vector of a fixed length").into())
        }
        None => Ok(()),
    }
}

fn formats_are_known(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let foreign =
        |ty: Type<'_>| ty.scalar().view() == TypeView::Other && FOREIGN_FORMATS.contains(&&*ty.scalar().text());
    for instruction in m.defined().into_iter().flat_map(Value::instructions) {
        let types = instruction.operands().into_iter().map(Value::ty).chain([instruction.ty()]);
        if let Some(ty) = types.into_iter().find(|ty| foreign(*ty)) {
            let what = format!("a value of the type `{}`", ty.text());
            return Err(cx
                .unsupported(what, instruction.location(), "use `double`, or `long double` where it has 80 bits")
                .into());
        }
    }
    Ok(())
}

/// Functions that are left were not merged because they are recursive or called through a pointer.
fn group_builtins_in_kernel(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
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
fn private_memory_fits(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
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
fn pieces(m: &DeviceModule<'_, Bound>) -> u64 {
    match m.module.function(BARRIER).map_or(0, |barrier| barrier.users().len() as u64) {
        0 => 1,
        barriers => barriers + 2,
    }
}
