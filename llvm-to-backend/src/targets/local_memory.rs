//! Lays out the variables of local memory.
//!
//! In: the variables in the local address space. Out: an offset for each, and the total size.
//! *Invariant:* each variable has its alignment; the size is a multiple of [`LINE`], so that
//! dynamic local memory after it has that alignment.

use crate::{
    backend::{LOCAL_SPACE, first_use},
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
};
use sinter_core::names::readable;
use sinter_llvm::ir::Value;

/// Alignment of the dynamic part in bytes, which the headers guarantee.
pub(crate) const LINE: u64 = 64;
/// The builtin that returns the start of the dynamic part.
pub(crate) const DYNAMIC_LOCAL_MEMORY: &str = "__acpp_sscp_get_dynamic_local_memory";

/// Limits of a target's local memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grant {
    /// Alignment of its start, in bytes.
    pub(crate) alignment: u64,
    /// Maximum size for a work-group, in bytes.
    pub(crate) size: u64,
}

/// The variables of local memory with their offsets, and the total size in bytes.
#[derive(Debug)]
pub(crate) struct Placed<'s> {
    pub(crate) variables: Vec<(Value<'s>, u64)>,
    pub(crate) size: u32,
}

/// Assigns offsets to `variables` in order.
pub(crate) fn lay_out<'s>(cx: &Context<'_, '_>, variables: Vec<Value<'s>>, grant: Grant) -> Outcome<Placed<'s>> {
    let (mut end, mut placed) = (0u64, Vec::new());
    for variable in variables {
        let offset = offset_behind(cx, variable, end, grant)?;
        end = offset.saturating_add(variable.value_type().alloc_size(cx.machine));
        placed.push((variable, offset));
    }
    let size = end.checked_next_multiple_of(LINE).filter(|size| *size <= grant.size);
    match size.and_then(|size| u32::try_from(size).ok()) {
        Some(size) => Ok(Placed { variables: placed, size }),
        None => {
            let location = placed.iter().find_map(|(variable, _)| first_use(*variable));
            Err(cx.too_much_local_memory(end, grant.size, location).into())
        }
    }
}

/// The variables of local memory that have uses.
pub(crate) fn variables<'s, S>(m: &DeviceModule<'s, S>) -> Vec<Value<'s>> {
    let globals = m.module.globals().into_iter();
    globals.filter(|global| global.address_space() == Some(LOCAL_SPACE) && global.is_used()).collect()
}

/// The first aligned offset for a variable after `end`, in bytes.
fn offset_behind(cx: &Context<'_, '_>, variable: Value<'_>, end: u64, grant: Grant) -> Outcome<u64> {
    let name = || readable(&variable.name());
    if !variable.initializer().is_none_or(Value::is_undefined_or_zero) {
        let hint = "local memory starts undefined; assign the value in the kernel, then call a barrier";
        let what = format!("the initial value of the local variable `{}`", name());
        return Err(cx.unsupported(what, first_use(variable), hint).into());
    }
    let alignment = u64::from(variable.alignment().max(variable.value_type().alignment(cx.machine)).max(1));
    if alignment > grant.alignment {
        let what = format!("the local variable `{}` with an alignment of {alignment} bytes", name());
        let hint = format!("the target aligns local memory to {} bytes", grant.alignment);
        return Err(cx.unsupported(what, first_use(variable), &hint).into());
    }
    Ok(end.next_multiple_of(alignment))
}
