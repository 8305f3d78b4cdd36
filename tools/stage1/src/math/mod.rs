//! Turns libm calls into LLVM intrinsics and device builtins.
//!
//! In: calls of functions that libm defines on the host. Out: intrinsics where LLVM 19 has one, so
//! that vectorizer and constant folder understand the operation, and `__acpp_sscp_<op>_<type>`
//! otherwise. *Invariant:* a function that the module defines itself is never replaced, nor is one
//! whose type differs from libm's.

mod replace;

pub(crate) use replace::replace_calls;

use sinter_builtins::{Function, Precision, c_function};

/// True for a function of libm that every backend provides.
pub(crate) fn is_known(symbol: &str) -> bool {
    find(symbol).is_some()
}

/// The function with this symbol and its precision, if it has a replacement.
fn find(symbol: &str) -> Option<(&'static Function, Precision)> {
    c_function(symbol).filter(|(function, _)| function.llvm.is_some() || function.family.is_builtin())
}
