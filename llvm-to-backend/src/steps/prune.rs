//! Removes what the kernel no longer needs, and names what it needs and nothing gives.
//!
//! *Invariant:* afterwards every global that is left has a value. The call graph is recorded here, the last place where every
//! call of the source that is left is still a call.

use crate::{
    backend::first_use,
    call_graph::CallGraph,
    context::Context,
    device_module::{DeviceModule, Specialized},
    failure::Outcome,
};
use sinter_core::{TranslateCause, UnresolvedSymbol};
use sinter_llvm::ir::Value;

/// Tables of virtual functions, of their offsets in bases, and descriptions of types (Itanium C++ ABI, 5.1.4).
const RUNTIME_TYPES: [&str; 4] = ["_ZTV", "_ZTT", "_ZTI", "_ZTS"];

pub(crate) fn prune<'s>(
    _: &Context<'s, '_>,
    mut m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Specialized>> {
    m.module.run_passes("globaldce", None)?;
    let unset = m.module.globals().into_iter().find(|global| global.is_declaration() && global.is_used());
    match unset {
        Some(global) if RUNTIME_TYPES.iter().any(|prefix| global.name().starts_with(prefix)) => {
            Err(missing_type(&m, global).into())
        }
        Some(global) => Err(TranslateCause::UnsetConstant { name: global.name() }.into()),
        None => {
            m.facts.calls.record(&m.module);
            Ok(m)
        }
    }
}

fn missing_type(m: &DeviceModule<'_, Specialized>, global: Value<'_>) -> TranslateCause {
    let (mut calls, name) = (CallGraph::default(), global.name());
    calls.record(&m.module);
    let route = calls.route(&m.kernel.name(), &name);
    let hint = "virtual functions, `dynamic_cast` and `typeid` need the C++ run-time library, which device code does \
                not have; use templates or a `switch`";
    let location = route.location.or_else(|| first_use(global));
    let symbol = UnresolvedSymbol { hint: hint.to_owned(), chain: route.chain, location, name };
    TranslateCause::Unresolved { symbols: vec![symbol] }
}
