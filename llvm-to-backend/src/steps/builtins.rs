//! Adds the definitions of the device builtins that the kernel calls.
//!
//! In: declarations of `__acpp_sscp_*`. Out: the target's definitions of those that are used, merged into the kernel.
//! *Invariant:* the library is read lazily; the cost is that of the functions that are used.

use super::{flavor::float_mode, inline};
use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Flavored, Linked},
    failure::Outcome,
};
use sinter_llvm::ir::Value;

pub(crate) fn builtins<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    mut m: DeviceModule<'s, Flavored>,
) -> Outcome<DeviceModule<'s, Linked>> {
    backend.call_libraries(cx, &m)?;
    if !link(cx, backend, &m)? {
        return Ok(m.advance());
    }
    m.facts.calls.record(&m.module);
    backend.flavor(cx, &m);
    float_mode(cx, &m);
    backend.answer_libraries(cx, &m)?;
    inline::mark(&m);
    m.module.run_passes(inline::INLINE, Some(cx.machine))?;
    Ok(m.advance())
}

/// Links what is needed of the libraries, each for what is still undefined. False where nothing is needed.
pub(crate) fn link<'s, B: Backend, S>(cx: &Context<'s, '_>, backend: &B, m: &DeviceModule<'s, S>) -> Outcome<bool> {
    let mut linked = false;
    for library in [Some(backend.builtins()), backend.mathematics(cx)].into_iter().flatten() {
        if m.undefined().iter().all(|function| backend.provides(&function.name())) {
            break;
        }
        let library = cx.session.lazy_bitcode(library)?;
        library.copy_target(&m.module);
        m.module.link_needed(library)?;
        linked = true;
    }
    m.defined().into_iter().filter(|function| *function != m.kernel).for_each(Value::make_internal);
    Ok(linked)
}
