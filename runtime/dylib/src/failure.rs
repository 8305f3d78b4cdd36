//! Failed calls.
//!
//! In: the code that a function returned. Out: the code with the function's name. *Invariant:* a
//! failure does not interpret its code, whose meaning differs between libraries.

/// A function of a library returned a code other than 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// Name of the function.
    pub call: &'static str,
    /// The returned code.
    pub code: u32,
}
