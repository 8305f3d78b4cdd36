//! Finds functions of libm that have a replacement, and operations on complex numbers.
//!
//! In: a symbol. Out: a row of the table of device functions and the precision. *Invariant:* a row
//! without an intrinsic and a builtin replaces nothing.

use sinter_builtins::{COMPLEX_OPERATIONS, Function, Precision, c_function};

/// True for a function of libm, or an operation on complex numbers, that every backend provides.
pub(crate) fn is_known(symbol: &str) -> bool {
    find(symbol).is_some() || is_complex_operation(symbol)
}

/// True for multiplication and division of complex numbers, which compilers call.
pub(crate) fn is_complex_operation(symbol: &str) -> bool {
    COMPLEX_OPERATIONS.iter().any(|operation| operation.symbol == symbol)
}

/// The function with this symbol and its precision, if it has a replacement.
pub(super) fn find(symbol: &str) -> Option<(&'static Function, Precision)> {
    c_function(symbol).filter(|(function, _)| function.llvm.is_some() || function.family.is_builtin())
}
