//! Names for what prints.
//!
//! *Invariant:* `printf` of the C library gets a name of ours, under which it is known until the legaliser makes instructions of it.

use crate::device_module::DeviceModule;

const PRINTF: &str = "printf";
const TYPE: &str = "i32 (ptr, ...)";
/// Prints, as C's `printf` does.
pub(super) const PRINT: &str = "__sinter_spirv_print";
/// The same for texts that need not be printed.
pub(super) const REPORT: &str = "__sinter_spirv_report";

pub(super) fn name<S>(m: &DeviceModule<'_, S>) {
    let is_c = |printf: &sinter_llvm::ir::Value<'_>| printf.is_declaration() && printf.value_type().text() == TYPE;
    let Some(printf) = m.module.function(PRINTF).filter(is_c) else { return };
    match m.module.function(PRINT) {
        Some(known) => printf.replace_uses(known),
        None => printf.set_name(PRINT),
    }
}
