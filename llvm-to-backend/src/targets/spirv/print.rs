//! Names for what prints.
//!
//! *Invariant:* `printf` of the C library gets a name of ours, under which it is known until the legaliser makes instructions of it.

use crate::device_module::DeviceModule;
use sinter_llvm::ir::Value;

const PRINTF: &str = "printf";
const TYPE: &str = "i32 (ptr, ...)";
/// Prints, as C's `printf` does.
pub(super) const PRINT: &str = "__sinter_spirv_print";
/// The same for texts that need not be printed.
pub(super) const REPORT: &str = "__sinter_spirv_report";

/// What prints in programs and in what is linked to them.
const PRINTING: [&str; 9] = [
    PRINTF,
    "puts",
    "putchar",
    "__assert_fail",
    "__acpp_sscp_print",
    "__acpp_sscp_assert_fail",
    "__acpp_sscp_glibcxx_assert_fail",
    PRINT,
    REPORT,
];
/// Calls stay where they are: two that differ in a text must not become one with a text that is not known.
const ATTRIBUTES: [&str; 2] = ["nomerge", "convergent"];

pub(super) fn name<S>(m: &DeviceModule<'_, S>) {
    let is_c = |printf: &Value<'_>| printf.is_declaration() && printf.value_type().text() == TYPE;
    if let Some(printf) = m.module.function(PRINTF).filter(is_c) {
        match m.module.function(PRINT) {
            Some(known) => printf.replace_uses(known),
            None => printf.set_name(PRINT),
        }
    }
    protect(m);
}

/// Keeps calls apart whose texts will be printed.
pub(super) fn protect<S>(m: &DeviceModule<'_, S>) {
    PRINTING.into_iter().filter_map(|name| m.module.function(name)).for_each(keep_apart);
}

/// Keeps the calls of a function apart.
pub(super) fn keep_apart(function: Value<'_>) {
    ATTRIBUTES.iter().for_each(|name| function.add_attribute(name, 0));
}
