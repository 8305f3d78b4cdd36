//! Renames functions that print.
//!
//! *Invariant:* C's `printf` gets a name with Sinter's prefix, until the legaliser replaces it by
//! instructions.

use crate::device_module::DeviceModule;
use sinter_llvm::ir::Value;

const PRINTF: &str = "printf";
const TYPE: &str = "i32 (ptr, ...)";
/// Prints like C's `printf`.
pub(super) const PRINT: &str = "__sinter_spirv_print";
/// Prints like [`PRINT`], but may replace a string that is not constant.
pub(super) const REPORT: &str = "__sinter_spirv_report";

/// Prefix of calls that stand for the report of a trap, whose text is complete; a number follows.
pub(super) const TRAP: &str = "__sinter_spirv_report_trap__";

/// Prefix of calls that stand for a print of a shader: a text with the types of the values, `=` and
/// the format, and then the values.
pub(super) const SHADER_PRINT: &str = "__sinter_spirv_report_print__";
/// Prefix of all that shaders report.
pub(super) const SHADER_REPORT: &str = "__sinter_spirv_report_";

/// Printing functions of programs and of linked libraries.
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
/// Calls must not be merged: two that differ in a string would become one whose string is not
/// constant.
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

/// Prevents merging of calls whose strings will be printed.
pub(super) fn protect<S>(m: &DeviceModule<'_, S>) {
    PRINTING.into_iter().filter_map(|name| m.module.function(name)).for_each(keep_apart);
}

/// Prevents merging of the calls of a function.
pub(super) fn keep_apart(function: Value<'_>) {
    ATTRIBUTES.iter().for_each(|name| function.add_attribute(name, 0));
}
