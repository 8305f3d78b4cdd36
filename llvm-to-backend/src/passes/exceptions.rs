//! Removes exception handling; device code cannot unwind.
//!
//! In: invokes, landing pads and calls that throw or end the program, as in foreign and
//! hand-written IR. Out: plain calls, and a trap where an exception would be thrown. *Invariant:* a
//! trap has the source location of the call.

use crate::{device_module::DeviceModule, failure::Outcome};
use sinter_llvm::ir::Value;

/// An invoke becomes a call; `simplifycfg` removes the landing pads. Functions with traps are
/// inlined, so that the traps get the location of the call.
const REMOVE: &str = "function(lower-invoke,simplifycfg),always-inline,function(simplifycfg),globaldce";
/// Functions of the C++ runtime library that unwind or end the program.
const ENDINGS: [&str; 11] = [
    "_Unwind_Resume",
    "_ZSt9terminatev",
    "__clang_call_terminate",
    "__cxa_allocate_exception",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_unexpected",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
];

pub(crate) fn drop_exceptions<S>(m: &DeviceModule<'_, S>) -> Outcome<()> {
    let functions = m.module.functions().into_iter();
    let (ending, others): (Vec<_>, Vec<_>) = functions.partition(|function| ends(&function.name()));
    let unwinding: Vec<_> = others.into_iter().filter(|f| !f.is_declaration() && f.has_personality()).collect();
    let ending: Vec<_> = ending.into_iter().filter(|function| function.is_used()).collect();
    if ending.is_empty() && unwinding.is_empty() {
        return Ok(());
    }
    ending.into_iter().for_each(become_trap);
    m.module.run_passes(REMOVE, None)?;
    unwinding.into_iter().for_each(Value::clear_personality);
    Ok(())
}

/// True if a function does not return. The standard library throws through `std::__throw_*`.
fn ends(name: &str) -> bool {
    ENDINGS.contains(&name) || (name.starts_with("_ZSt") && name.contains("__throw_"))
}

fn become_trap(function: Value<'_>) {
    function.define_as_trap();
    for attribute in ["noinline", "memory", "willreturn", "nonnull"] {
        function.remove_attribute(attribute);
    }
    function.add_attribute("alwaysinline", 0);
}
