//! Turns libm calls into LLVM intrinsics and device builtins, and defines C's functions on integers
//! and complex numbers.
//!
//! In: calls of functions that libm defines on the host. Out: intrinsics where LLVM 19 has one, so
//! that vectorizer and constant folder understand the operation, and `__acpp_sscp_<op>_<type>`
//! otherwise. *Invariant:* a function that the module defines itself is never replaced, nor is one
//! whose type differs from libm's.

mod complex;
mod functions;
mod integers;
mod replace;

pub(crate) use complex::define_complex;
pub(crate) use functions::{is_complex_operation, is_known};
pub(crate) use integers::define_integers;
pub(crate) use replace::replace_calls;
