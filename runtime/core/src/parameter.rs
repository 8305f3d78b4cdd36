//! Records that say where a kernel's parameters lie in the host-side argument block.

use sinter_program::{ArgumentType, Place};

pub use sinter_program::ParameterKind;

/// The annotation of a parameter whose value each launch has compiled into the kernel.
pub const SPECIALIZED: &str = "specialized";
/// The annotation, beside [`SPECIALIZED`], of what a local accessor consists of: its offset in 4 bytes and then one to three
/// sizes in 8 bytes each.
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
    /// Whether each launch has its value compiled into the kernel.
    pub fn is_specialized(&self) -> bool {
        self.has(SPECIALIZED)
    }

    /// Whether it is part of a local accessor: the offset, or one of the sizes behind it.
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
