//! Kinds of parameters and arguments.
//!
//! In: numbers in descriptors, words in containers. Out: kinds. *Invariant:* the number of a kind
//! equals that of `sinter_parameter.kind`, its word that in containers.
#![forbid(unsafe_code)]

use std::{fmt, str::FromStr};

/// Kind of a kernel parameter. Numbers are part of the ABI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum ParameterKind {
    /// A pointer to global memory.
    Pointer = 0,
    /// An integer of any width.
    Integer = 1,
    /// A floating-point value.
    FloatingPoint = 2,
    /// Any other type, passed by its bytes.
    OtherByValue = 3,
}

impl ParameterKind {
    const NAMES: [(ParameterKind, &'static str); 4] = [
        (ParameterKind::Pointer, "pointer"),
        (ParameterKind::Integer, "integer"),
        (ParameterKind::FloatingPoint, "floating-point"),
        (ParameterKind::OtherByValue, "other-by-value"),
    ];

    /// Decodes the number in a kernel descriptor; `None` if unknown.
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

/// Kind and size of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentType {
    /// Kind of the value.
    pub kind: ParameterKind,
    /// Size in bytes.
    pub size: u32,
}

impl fmt::Display for ArgumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParameterKind::Pointer => f.write_str("a pointer"),
            kind => write!(f, "{kind} of {} bytes", self.size),
        }
    }
}
