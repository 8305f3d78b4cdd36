//! Removes what the kernel no longer needs, and names what it needs and nothing gives.
//!
//! *Invariant:* afterwards every global that is left has a value.

use crate::{
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};
use sinter_core::TranslateCause;

pub(crate) fn prune<'s>(
    _: &Context<'s, '_>,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    m.module.run_passes("globaldce", None)?;
    let unset = m.module.globals().into_iter().find(|global| global.is_declaration() && global.is_used());
    match unset {
        Some(global) => Err(TranslateCause::UnsetConstant { name: global.name() }.into()),
        None => Ok(m),
    }
}
