//! Links the definitions of the device builtins that the kernel calls.
//!
//! In: declarations of `__acpp_sscp_*`. Out: the target's definitions of the used ones, linked into
//! the kernel's module. *Invariant:* the cost is proportional to the functions that are used.

use crate::{
    backend::Backend,
    context::Context,
    device_module::{DeviceModule, Flavored, Linked},
    failure::Outcome,
    passes::{
        complex, exponents,
        float_mode::float_mode_of_linked,
        inlining::{self, INLINE},
        link::link,
    },
};

pub(crate) fn builtins<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    mut m: DeviceModule<'s, Flavored>,
) -> Outcome<DeviceModule<'s, Linked>> {
    complex::define(cx, &m)?;
    exponents::narrow(cx, &m)?;
    backend.call_libraries(cx, &m)?;
    let own = m.defined().into_iter().collect();
    if !link(cx, backend, &m)? {
        return Ok(m.advance());
    }
    m.facts.calls.record(&m.module);
    backend.flavor(cx, &m);
    float_mode_of_linked(cx, &m, &own);
    backend.answer_libraries(cx, &m)?;
    inlining::mark(&m, if B::JOINS_COLLECTIVES && !cx.optimise() { usize::MAX } else { B::MOST_COPIED });
    m.module.run_passes(INLINE, Some(cx.machine))?;
    Ok(m.advance())
}
