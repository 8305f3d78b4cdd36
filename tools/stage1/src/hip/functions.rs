//! Functions that only devices have.
//!
//! In: functions with the plugin's annotation. Out: host code in which they trap. *Invariant:* runs
//! when the image has been written.

use sinter_llvm::{
    inkwell::module::Module,
    stage1::{annotation::FunctionAnnotation, name, surgery},
};

const FUNCTION: &str = "sinter_hip_function";

/// Symbols of the functions that this unit defines.
pub(super) fn of_devices(annotations: &[FunctionAnnotation<'_>]) -> Vec<String> {
    let found = annotations.iter().filter(|annotation| annotation.text == FUNCTION);
    found.map(|annotation| name(annotation.function)).collect()
}

/// Two units may define a function of the same name, which no linker of host code sees.
pub(super) fn remove(module: &Module<'_>, symbols: &[String]) {
    symbols.iter().filter_map(|symbol| module.get_function(symbol)).for_each(surgery::define_as_trap);
}
