//! Turns libm calls into LLVM intrinsics and device builtins.
//!
//! In: calls of functions that libm defines on the host. Out: intrinsics where LLVM 19 has one, so that vectorizer and
//! constant folder see what is computed, and `__acpp_sscp_<op>_<type>` otherwise. *Invariant:* a function that the
//! module defines itself is never replaced, nor is one whose type is not libm's.

mod replace;
mod table;

pub(crate) use replace::replace_calls;

/// Whether this is a function of libm that every backend provides.
pub(crate) fn is_known(symbol: &str) -> bool {
    table::find(symbol).is_some()
}
