//! The pointers that code follows, beside its pointer arguments.
//!
//! In: what the translator found in the code. Out: where a launch finds those pointers.
//! *Invariant:* nothing is left out. A launch that knows where all of them lead knows all memory of
//! the program that the code accesses.

use serde::{Deserialize, Serialize};

/// The memory of the program that code may access through anything but its pointer arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Followed {
    /// None.
    #[default]
    Nothing,
    /// The objects that certain pointers lead to.
    Places(Places),
    /// Any: through pointers that may lie anywhere, or through integers.
    Anything,
}

/// Pointers that lie in memory where a launch finds them, and what could change them before the
/// code follows them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Places {
    /// The pointers that the code may follow. Each path has a step.
    pub pointers: Vec<Path>,
    /// Pointers into the objects that the code may write to.
    pub written: Vec<Path>,
    /// Pointers into the objects through which it may learn what other threads have done: those of
    /// atomic operations and volatile accesses.
    pub shared: Vec<Path>,
}

impl Places {
    /// Maximum number of paths in each list.
    pub const MOST: usize = 64;
}

/// A pointer argument, or a pointer that is reached from one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Path {
    /// Index into the kernel's parameter records.
    pub parameter: u32,
    /// The loads on the way.
    pub steps: Vec<Step>,
}

/// A load of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    /// Bytes from the pointer before to the loaded one, apart from the index.
    pub offset: i64,
    /// The element of an array of pointers that is loaded.
    pub index: Option<Index>,
}

/// An index that is an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Index {
    /// Index into the kernel's parameter records: an integer of 4 or 8 bytes.
    pub parameter: u32,
    /// Bytes of an element.
    pub scale: i64,
    /// True if the integer has a sign.
    pub is_signed: bool,
}
