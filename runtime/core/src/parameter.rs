//! Records that say where a kernel's parameters lie in the host-side argument block.

use std::{fmt, str::FromStr};

/// Annotation of a parameter whose value every launch compiles into the kernel.
pub const SPECIALIZED: &str = "specialized";
/// Annotation, beside [`SPECIALIZED`], of the parts of a local accessor: its offset in 4 bytes,
/// then one to three sizes in 8 bytes each.
pub const LOCAL_ACCESSOR: &str = "local-accessor";

/// What a kernel parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum ParameterKind {
    /// A pointer to global memory.
    Pointer = 0,
    /// An integer of any width.
    Integer = 1,
    /// A floating-point value.
    FloatingPoint = 2,
    /// Any other type, passed as its bytes.
    OtherByValue = 3,
}

impl ParameterKind {
    const NAMES: [(ParameterKind, &'static str); 4] = [
        (ParameterKind::Pointer, "pointer"),
        (ParameterKind::Integer, "integer"),
        (ParameterKind::FloatingPoint, "floating-point"),
        (ParameterKind::OtherByValue, "other-by-value"),
    ];

    /// The kind with this number in a kernel descriptor.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::NAMES.into_iter().map(|(kind, _)| kind).find(|kind| *kind as u32 == number)
    }
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].1)
    }
}

impl FromStr for ParameterKind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::NAMES.into_iter().find(|(_, name)| *name == text).map(|(kind, _)| kind).ok_or(())
    }
}

/// One scalar leaf of the host-side argument block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Offset in the block, in bytes.
    pub byte_offset: u32,
    /// Size in bytes.
    pub byte_size: u32,
    /// Index of the field of the closure this leaf was part of.
    pub original_index: u32,
    /// What it is.
    pub kind: ParameterKind,
    /// Requests attached to it: [`SPECIALIZED`], [`LOCAL_ACCESSOR`].
    pub annotations: Vec<String>,
}

impl Parameter {
    /// True if every launch compiles its value into the kernel.
    pub fn is_specialized(&self) -> bool {
        self.has(SPECIALIZED)
    }

    /// True for a part of a local accessor: its offset or one of its sizes.
    pub fn is_of_local_accessor(&self) -> bool {
        self.has(LOCAL_ACCESSOR)
    }

    fn has(&self, wanted: &str) -> bool {
        self.annotations.iter().any(|annotation| annotation == wanted)
    }
}
