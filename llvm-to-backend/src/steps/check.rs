//! Rejects everything that the target cannot run, before code generation.
//!
//! In: a linked module. Out: the same, or an error that names each symbol, the path from the kernel
//! to it and its location. *Invariant:* after this step every external symbol is one that the
//! backend provides.

use crate::{
    backend::{Backend, first_use},
    context::Context,
    device_module::{Bound, Checked, DeviceModule},
    failure::Outcome,
    passes::hosted,
};
use sinter_builtins::Provider;
use sinter_core::{TranslateCause, UnresolvedSymbol, names::readable, nearest::nearest};
use sinter_llvm::ir::{Opcode, Value, ValueKind};

/// Advice for an undefined function of the program.
const EXPORT: &str = "define it in device code, or export it (`SYCL_EXTERNAL`, in HIP and CUDA `-fgpu-rdc`) from a file \
    that is linked; `--sinter-late-functions` takes none out of archives (`-Wl,--whole-archive` does)";

pub(crate) fn check<'s, B: Backend>(
    cx: &Context<'s, '_>,
    backend: &B,
    m: DeviceModule<'s, Bound>,
) -> Outcome<DeviceModule<'s, Checked>> {
    kernel_stands_alone(cx, &m)?;
    no_thread_locals(cx, &m)?;
    backend.check(cx, &m)?;
    all_resolved(cx, backend, &m)?;
    Ok(m.advance())
}

/// Rejects references to the kernel: it becomes the body of a loop, with another signature.
fn kernel_stands_alone(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    if m.kernel.users().into_iter().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind) {
        let jumps = m.kernel.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMIndirectBr);
        let location = jumps.into_iter().find_map(Value::location);
        return Err(cx.unsupported("an indirect branch in a kernel", location, "use a `switch`").into());
    }
    if let Some(user) = m.kernel.reference() {
        let location = if user.is_instruction() { user.location() } else { None };
        let hint = "move what both need into a function that the kernel calls";
        return Err(cx.unsupported("device code that calls the kernel or takes its address", location, hint).into());
    }
    let result = m.kernel.return_type().text();
    if result == "void" {
        return Ok(());
    }
    let hint = "a kernel returns nothing; write results to memory";
    Err(cx.unsupported(format!("a kernel that returns `{result}`"), None, hint).into())
}

fn all_resolved<B: Backend>(cx: &Context<'_, '_>, backend: &B, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let missing = m.undefined().into_iter().filter(|function| !backend.provides(&function.name()));
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    let libraries = backend.libraries(cx);
    let names = libraries.iter().flat_map(|library| library.names(cx.session));
    let builtins: Vec<_> = names.filter(|name| name.starts_with("__acpp_sscp_")).collect();
    let hint = |name: &str| match sinter_builtins::find(name).and_then(|b| b.provider(cx.target().family())) {
        Some(Provider::Refused(reason)) => format!("the target does not have this device builtin: {reason}"),
        _ => hint(name, &builtins, libraries.iter().any(|library| library.was_given_for(name))),
    };
    let symbols = missing.into_iter().map(|function| unresolved(m, function, hint)).collect();
    Err(TranslateCause::Unresolved { symbols }.into())
}

fn unresolved(m: &DeviceModule<'_, Bound>, function: Value<'_>, hint: impl Fn(&str) -> String) -> UnresolvedSymbol {
    let name = function.name();
    let route = m.facts.calls.route(&m.kernel.name(), &name);
    let location = route.location.or_else(|| first_use(function));
    UnresolvedSymbol { hint: hint(&name), chain: route.chain, location, name }
}

fn hint(name: &str, builtins: &[String], of_given_library: bool) -> String {
    if of_given_library {
        return "the library that was given does not define it; give a complete one, or none to use the functions that are built in"
            .to_owned();
    }
    match nearest(name, builtins.iter().map(String::as_str)) {
        Some(builtin) => format!("did you mean the device builtin `{builtin}`?"),
        None if name.starts_with("__acpp_") || name.starts_with("__sinter_") => {
            "this device builtin is not available on the target".to_owned()
        }
        None => hosted::function(name).unwrap_or(EXPORT).to_owned(),
    }
}

fn no_thread_locals(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    match m.module.globals().into_iter().find(|global| global.is_thread_local() && global.is_used()) {
        Some(global) => {
            let what = format!("the thread-local variable `{}`", readable(&global.name()));
            Err(cx.unsupported(what, first_use(global), "pass the value as a kernel argument").into())
        }
        None => Ok(()),
    }
}
