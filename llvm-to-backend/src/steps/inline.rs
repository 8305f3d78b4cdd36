//! Merges called functions into the kernel.
//!
//! *Invariant:* a call that remains is to a function without a body, through a pointer, or recursive. This runs at
//! every optimisation level, since index queries can only be answered in the kernel itself.

use crate::{
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};

/// `alwaysinline` functions into their callers, then those that have no caller left away.
pub(super) const INLINE: &str = "always-inline,globaldce";

pub(crate) fn inline<'s>(
    _: &Context<'s, '_>,
    m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    mark(&m);
    m.module.run_passes(INLINE, None)?;
    Ok(m)
}

/// Marks every function but the kernel for inlining.
pub(super) fn mark<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined().into_iter().filter(|function| *function != m.kernel) {
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
        function.add_attribute("alwaysinline", 0);
    }
}
