//! Refuses code that the host CPU cannot run.
//!
//! *Invariant:* a remaining index query, barrier or query of local memory is in the kernel itself,
//! where the work-item loops replace it.

use super::builtins::{BARRIER, is_answered, is_sub_group_primitive};
use crate::{
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::{Failure, Outcome},
    passes::private_memory,
    targets::split::shares_code,
};
use sinter_core::TranslateCause;
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    types::TypeView,
};

/// Bytes of private memory of a work-item. Worker threads have stacks of 2 MiB by default
/// (`std::thread`); half of that is left to the runtime and libm.
pub(super) const PRIVATE_MEMORY: u64 = 1 << 20;

pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    sizes_are_known(cx, m)?;
    group_builtins_in_kernel(cx, m)?;
    private_memory_fits(cx, m)
}

/// Formats that no host CPU supports. LLVM calls functions for them, some by the names of libm's
/// `long double` functions.
const FOREIGN_FORMATS: [&str; 3] = ["fp128", "ppc_fp128", "x86_amx"];

/// Refuses scalable vectors and types of other targets.
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

/// Refuses group builtins outside of the kernel. Functions that remain could not be inlined because
/// they are recursive or called through a pointer.
fn group_builtins_in_kernel(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let misplaced =
        |builtin: &Value<'_>, user: &Value<'_>| !(user.callee() == Some(*builtin) && user.function() == m.kernel);
    for builtin in m.undefined().into_iter().filter(|f| is_answered(&f.name())) {
        if let Some(user) = builtin.users().into_iter().find(|user| misplaced(&builtin, user)) {
            let location = if user.is_instruction() { user.location() } else { None };
            if is_sub_group_primitive(&builtin.name()) {
                return Err(Failure::of_sub_groups(sub_group_in_function(cx, location)));
            }
            let what = format!("`{}` in a function that cannot be inlined into the kernel", builtin.name());
            let hint = "recursive functions and function pointers must get indices and local memory as arguments, and \
                        cannot wait at barriers";
            return Err(cx.unsupported(what, location, hint).into());
        }
    }
    Ok(())
}

fn sub_group_in_function(cx: &Context<'_, '_>, location: Option<String>) -> TranslateCause {
    let what = "a function of sub-groups in a function that cannot be inlined into the kernel";
    cx.unsupported(what, location, "recursive functions and function pointers must get its result as an argument")
}

/// Refuses a kernel with more private memory than a worker thread has. Unoptimised, each piece
/// between two barriers has stack variables of its own.
fn private_memory_fits(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let (total, first) = private_memory::total(cx, m)?;
    let total = total.saturating_mul(if cx.optimise() { 1 } else { pieces(m) });
    if total > PRIVATE_MEMORY {
        let what = format!("{total} bytes of private memory per work-item");
        return Err(cx.unsupported(what, first, "the limit is 1 MiB; use a buffer in global memory").into());
    }
    Ok(())
}

/// Copies of the kernel body in the entry: one for each state, and one for work-items in different
/// states. Where there are very many states, one function runs them all.
fn pieces(m: &DeviceModule<'_, Bound>) -> u64 {
    match m.module.function(BARRIER).map_or(0, |barrier| barrier.users().len()) {
        0 => 1,
        barriers if shares_code(barriers + 1) => 1,
        barriers => barriers as u64 + 2,
    }
}
