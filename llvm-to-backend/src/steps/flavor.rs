//! Gives the module the target's triple, data layout and attributes, and the freedom of floating-point operations
//! that was asked for.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Flavored, Inlined},
    failure::Outcome,
    passes::float_mode::float_mode,
};

pub(crate) fn flavor<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Inlined>,
) -> Outcome<DeviceModule<'s, Flavored>> {
    backend.flavor(cx, &m);
    float_mode(cx, &m);
    Ok(m.advance())
}
