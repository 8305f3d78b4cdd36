//! Removes functions and variables that the kernel does not reach, and reports undefined variables.
//!
//! *Invariant:* afterwards every remaining global but a device global has a value. The call graph
//! is recorded here, the last point at which every remaining call of the source is still a call.

use crate::{
    backend::first_use,
    call_graph::CallGraph,
    context::Context,
    device_module::{DeviceModule, Pruned, Specialized},
    failure::Outcome,
    passes::{foreign_constants::is_foreign, hosted},
};
use sinter_core::{TranslateCause, UnresolvedSymbol, device_global::variable_of};
use sinter_llvm::ir::{Shape, Value};

/// Prefixes of virtual tables, virtual table tables and type information (Itanium C++ ABI, 5.1.4).
const RUNTIME_TYPES: [&str; 4] = ["_ZTV", "_ZTT", "_ZTI", "_ZTS"];

pub(crate) fn prune<'s>(
    _: &Context<'s, '_>,
    mut m: DeviceModule<'s, Specialized>,
) -> Outcome<DeviceModule<'s, Pruned>> {
    m.module.run_passes("globaldce", None)?;
    m.facts.calls.record(&m.module);
    let is_unset = |g: &Value<'_>| g.is_declaration() && g.is_used() && variable_of(&g.name()).is_none();
    let unset: Vec<_> = m.module.globals().into_iter().filter(is_unset).collect();
    if let Some(constant) = unset.iter().find(|global| is_foreign(&global.name())) {
        return Err(TranslateCause::UnsetConstant { name: constant.name() }.into());
    }
    if unset.is_empty() {
        return Ok(m.advance());
    }
    let symbols = unset.into_iter().map(|global| missing(&m.facts.calls, m.kernel, global)).collect();
    Err(TranslateCause::Unresolved { symbols }.into())
}

fn missing(calls: &CallGraph, kernel: Value<'_>, global: Value<'_>) -> UnresolvedSymbol {
    let name = global.name();
    let route = calls.route(&kernel.name(), &name);
    let location = route.location.or_else(|| first_use(global));
    UnresolvedSymbol { hint: hint(&name, global.value_type().shape()), chain: route.chain, location, name }
}

/// An image does not distinguish variables of the host program from IR constants, but few constants
/// are objects.
fn hint(name: &str, shape: Shape) -> String {
    if RUNTIME_TYPES.iter().any(|prefix| name.starts_with(prefix)) {
        return "virtual functions, `dynamic_cast` and `typeid` need the C++ run-time library, which device code does \
                not have; use templates or a `switch`"
            .to_owned();
    }
    if let Some(advice) = hosted::variable(name) {
        return advice.to_owned();
    }
    let argument =
        "device code has no variables of the host program and its libraries; pass the value as a kernel argument";
    match shape {
        Shape::Integer(_) | Shape::F32 | Shape::F64 => {
            format!("{argument}, or, where it is an IR constant, with --constant {name}=TYPE:VALUE")
        }
        _ => argument.to_owned(),
    }
}
