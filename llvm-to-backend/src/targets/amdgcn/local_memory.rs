//! Resolves dynamic local memory.
//!
//! In: code that refers to variables in address space 3 and asks for dynamic local memory. Out: the
//! same with the address of an unsized array, which LLVM's code generator places after the
//! variables; the launch gives its size. *Invariant:* runs before the optimiser, which knows that
//! distinct variables do not overlap; the static size that a launch needs is read from the finished
//! code object.

use crate::{
    backend::LOCAL_SPACE,
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    targets::local_memory::{DYNAMIC_LOCAL_MEMORY, Grant, LINE, lay_out, variables},
};
use sinter_llvm::ir::Value;

/// The array after the variables. It has no size at compile time.
pub(super) const ARRAY: &str = "sinter_dynamic_local_memory";
/// Local memory of a work-group on every processor of the table (LLVM 19,
/// `FeatureLocalMemorySize65536`). It starts at address 0, which has every alignment.
const GRANT: Grant = Grant { alignment: 64 << 10, size: 64 << 10 };

pub(super) fn place<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    fits(cx, m)?;
    let local = m.module.globals().into_iter().filter(|global| global.address_space() == Some(LOCAL_SPACE));
    local.filter(|global| global.initializer().is_some()).for_each(Value::make_initializer_undefined);
    let Some(query) = m.module.function(DYNAMIC_LOCAL_MEMORY).filter(|query| query.is_used()) else { return Ok(()) };
    let array = m.module.declare_bytes(ARRAY, LINE as u32, LOCAL_SPACE);
    for call in query.users() {
        call.replace_uses(call.insert_before(|insert| insert.address_space_cast(array, call.ty())));
        call.erase();
    }
    Ok(())
}

/// Refuses more local memory than a work-group can have; LLVM's own diagnostic has no source
/// location.
pub(super) fn fits<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    lay_out(cx, variables(m), GRANT).map(drop)
}
