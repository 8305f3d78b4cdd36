//! What the host CPU cannot run.
//!
//! *Invariant:* an index query that is left stands in the kernel itself, where the work-item loops answer it.

use super::builtins::is_index_query;
use crate::{
    backend::first_use,
    context::Context,
    device_module::{DeviceModule, Linked},
    failure::Outcome,
};
use sinter_llvm::ir::{Opcode, Value};

/// Private memory of a work-item. Worker threads have stacks of 2 MiB by default (`std::thread`); half of that is
/// left to the runtime and to libm.
const PRIVATE_MEMORY: u64 = 1 << 20;
/// Builtins that need the work-items of a group to run side by side.
const COLLECTIVES: [&str; 4] = [
    "__acpp_sscp_work_group_",
    "__acpp_sscp_sub_group_",
    "__acpp_sscp_get_subgroup_",
    "__acpp_sscp_get_dynamic_local_memory",
];

pub(super) fn check(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    no_collectives(cx, m)?;
    queries_in_kernel(cx, m)?;
    private_memory_fits(cx, m)
}

fn no_collectives(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let collective = |name: &str| COLLECTIVES.iter().any(|prefix| name.starts_with(prefix));
    let Some(function) = m.undefined().into_iter().find(|f| collective(&f.name())) else { return Ok(()) };
    let route = m.facts.calls.route(&m.kernel.name(), &function.name());
    let hint = "barriers, local memory and group functions are not implemented for this target; \
                write the kernel without them, or run it on another device";
    let what = format!("the device builtin `{}`", function.name());
    Err(cx.unsupported(what, route.location.or_else(|| first_use(function)), hint).into())
}

fn queries_in_kernel(cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()> {
    let misplaced =
        |query: &Value<'_>, user: &Value<'_>| !(user.callee() == Some(*query) && user.function() == m.kernel);
    for query in m.undefined().into_iter().filter(|f| is_index_query(&f.name())) {
        if let Some(user) = query.users().into_iter().find(|user| misplaced(&query, user)) {
            let location = if user.is_instruction() { user.location() } else { None };
            let what = format!("`{}` in a function that cannot be merged into the kernel", query.name());
            let hint = "recursive functions and function pointers must get the index as an argument";
            return Err(cx.unsupported(what, location, hint).into());
        }
    }
    Ok(())
}

/// What is left of calls may nest, so the functions share the limit.
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
    if total > PRIVATE_MEMORY {
        let what = format!("{total} bytes of private memory per work-item");
        return Err(cx.unsupported(what, first, "the limit is 1 MiB; use a buffer in global memory").into());
    }
    Ok(())
}
