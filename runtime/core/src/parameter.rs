//! Records that say where a kernel's parameters lie in the host-side argument block.

use sinter_program::{ArgumentType, Place};

pub use sinter_program::ParameterKind;

/// Annotation of a parameter whose value every launch compiles into the kernel.
pub const SPECIALIZED: &str = "specialized";
/// Annotation, beside [`SPECIALIZED`], of the parts of a local accessor: its offset in 4 bytes,
/// then one to three sizes in 8 bytes each.
pub const LOCAL_ACCESSOR: &str = "local-accessor";

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

impl From<&Parameter> for Place {
    fn from(parameter: &Parameter) -> Self {
        let ty = ArgumentType { kind: parameter.kind, size: parameter.byte_size };
        Place { offset: parameter.byte_offset, ty }
    }
}
