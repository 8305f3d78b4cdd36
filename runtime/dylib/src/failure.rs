//! Failed calls.
//!
//! In: the number that a function returned. Out: the same, with the function's name. *Invariant:* a
//! failure says nothing about its meaning, which differs between libraries.

/// A function of a library that did not return 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// Name of the function.
    pub call: &'static str,
    /// Its result.
    pub code: u32,
}
