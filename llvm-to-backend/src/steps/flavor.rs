//! Gives the module the target's triple, data layout and attributes, and the fast-math flags of the
//! request.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{Addressed, DeviceModule, Flavored},
    failure::Outcome,
    passes::float_mode::float_mode,
};

pub(crate) fn flavor<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Addressed>,
) -> Outcome<DeviceModule<'s, Flavored>> {
    backend.flavor(cx, &m);
    float_mode(cx, &m);
    Ok(m.advance())
}
