//! Resolves dynamic local memory.
//!
//! In: code that refers to variables in address space 3 and asks for dynamic local memory. Out: the
//! same with the address of an unsized array, which the emitter turns into a kernel parameter.
//! *Invariant:* the static variables stay variables; a launch has to know their sizes.

use crate::{
    backend::LOCAL_SPACE,
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::Outcome,
    targets::local_memory::{DYNAMIC_LOCAL_MEMORY, Grant, LINE, lay_out, variables},
};
use sinter_llvm::ir::Value;

/// The array. It has no size at compile time.
const ARRAY: &str = "sinter_dynamic_local_memory";
/// More than any device has: the driver knows the actual size.
pub(super) const GRANT: Grant = Grant { alignment: 4096, size: 1 << 30 };

pub(super) fn place<'s>(cx: &Context<'s, '_>, mut m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    m.facts.local_memory = lay_out(cx, variables(&m), GRANT)?.size;
    let local = m.module.globals().into_iter().filter(|global| global.address_space() == Some(LOCAL_SPACE));
    local.filter(|global| global.initializer().is_some()).for_each(Value::make_initializer_undefined);
    let Some(query) = m.module.function(DYNAMIC_LOCAL_MEMORY).filter(|query| query.is_used()) else { return Ok(m) };
    let array = m.module.declare_bytes(ARRAY, LINE as u32, LOCAL_SPACE);
    for call in query.users() {
        call.replace_uses(call.insert_before(|insert| insert.address_space_cast(array, call.ty())));
        call.erase();
    }
    Ok(m)
}

/// True if a variable is the array of dynamic local memory.
pub(super) fn is_dynamic_array(variable: Value<'_>) -> bool {
    variable.address_space() == Some(LOCAL_SPACE) && variable.name() == ARRAY
}

/// True if the module uses dynamic local memory.
pub(super) fn is_dynamic<S>(m: &DeviceModule<'_, S>) -> bool {
    m.module.global(ARRAY).is_some_and(Value::is_used)
}
