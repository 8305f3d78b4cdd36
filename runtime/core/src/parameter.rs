//! Records of a kernel's parameters: their places in the host-side argument block.

use sinter_program::{ArgumentType, Place};

pub use sinter_program::ParameterKind;

/// Annotation of a parameter whose value is compiled into the kernel at every launch.
pub const SPECIALIZED: &str = "specialized";
/// Annotation, in addition to [`SPECIALIZED`], of the parts of a local accessor: its offset in 4
/// bytes, then one to three sizes in 8 bytes each.
pub const LOCAL_ACCESSOR: &str = "local-accessor";

/// A scalar leaf of the host-side argument block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Offset in the block, in bytes.
    pub byte_offset: u32,
    /// Size in bytes.
    pub byte_size: u32,
    /// Index of the closure's field that contains the leaf.
    pub original_index: u32,
    /// Kind of the value.
    pub kind: ParameterKind,
    /// Annotations: [`SPECIALIZED`], [`LOCAL_ACCESSOR`].
    pub annotations: Vec<String>,
}

impl Parameter {
    /// True if every launch compiles the value into the kernel.
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
