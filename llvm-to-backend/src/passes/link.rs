//! Links device functions from the target's libraries.
//!
//! In: a module that declares functions. Out: the same with definitions of those that the libraries
//! have, and of the functions that these call. *Invariant:* linked functions are internal.

use crate::{backend::Backend, context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::Value;
use std::collections::BTreeSet;

/// Links libraries until no new declaration can be resolved. False if none was needed.
pub(crate) fn link<'s, B: Backend, S>(cx: &Context<'s, '_>, backend: &B, m: &DeviceModule<'s, S>) -> Outcome<bool> {
    let (libraries, mut asked) = (backend.libraries(cx), BTreeSet::new());
    loop {
        let wanted = m.undefined().into_iter().map(Value::name).filter(|name| !backend.provides(name));
        let wanted: Vec<String> = wanted.filter(|name| !asked.contains(name)).collect();
        if wanted.is_empty() {
            break;
        }
        for part in libraries.iter().flat_map(|library| library.parts(&wanted)) {
            let part = cx.session.lazy_bitcode(&part)?;
            part.copy_target(&m.module);
            m.module.link_needed(part)?;
        }
        asked.extend(wanted);
    }
    hide(m);
    Ok(!asked.is_empty())
}

fn hide<S>(m: &DeviceModule<'_, S>) {
    let globals = m.module.globals().into_iter().filter(|global| !global.is_declaration());
    let functions = m.defined().into_iter().filter(|function| *function != m.kernel);
    globals.chain(functions).for_each(Value::make_internal);
}
