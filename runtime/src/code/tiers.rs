//! The code that a launch waits for, and what is made before it.
//!
//! *Invariant:* quick code and full code of a kernel have different keys, so that no mode gets code
//! from a cache that it would not make.
#![forbid(unsafe_code)]

use crate::error::RequiredBy;

/// The mode of a launch and its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChosenMode {
    pub(crate) mode: JitMode,
    pub(crate) by: RequiredBy,
}

/// The kernels that are prepared before their first launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AheadOptions {
    /// Their number for a program or library, at most.
    pub most: usize,
    /// True if the first process of a program guesses.
    pub guesses: bool,
}

/// Treatment of a launch whose code is in no cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JitMode {
    /// It waits for full code.
    Sync,
    /// It waits for quick code; full code follows in the background.
    #[default]
    Fallback,
    /// It fails: nothing is compiled.
    Require,
}
