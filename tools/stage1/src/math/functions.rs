//! Finds functions of libm that have a replacement.
//!
//! In: a symbol. Out: a row of the table of device functions and the precision. *Invariant:* a row
//! without an intrinsic and a builtin replaces nothing.

use sinter_builtins::{Function, Precision, c_function};

/// True for a function of libm that every backend provides.
pub(crate) fn is_known(symbol: &str) -> bool {
    find(symbol).is_some()
}

/// The function with this symbol and its precision, if it has a replacement.
pub(super) fn find(symbol: &str) -> Option<(&'static Function, Precision)> {
    c_function(symbol).filter(|(function, _)| function.llvm.is_some() || function.family.is_builtin())
}
