//! Says why a kernel does not run by rows.
//!
//! In: an instruction of the kernel, a block, or the kernel. Out: a [`Reason`] with its place in
//! the source. *Invariant:* a kernel that was compiled with line tables has a place: its own if
//! nothing closer is known.

use crate::cfg::{flow::NoRows, read::Graph};
use sinter_llvm::ir::Value;

/// A reason, and the place that it lies at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) text: String,
    pub(super) location: Option<String>,
}

impl Reason {
    /// A property of an instruction, or of the values that it uses.
    pub(super) fn at(instruction: Value<'_>, text: impl Into<String>) -> Self {
        Self { text: text.into(), location: instruction.location() }
    }

    /// A property of the kernel.
    pub(super) fn of_kernel(text: impl Into<String>) -> Self {
        Self { text: text.into(), location: None }
    }

    /// A property of the kernel's control flow.
    pub(super) fn of_flow(graph: &Graph<'_>, reason: &NoRows) -> Self {
        let instructions = reason.block().map(|block| graph.block(block).instructions()).unwrap_or_default();
        let location = instructions.into_iter().rev().find_map(Value::location);
        Self { text: reason.to_string(), location }
    }

    /// With the place of the kernel's first line if there is none.
    pub(super) fn in_kernel(self, kernel: Value<'_>) -> Self {
        Self { location: self.location.or_else(|| kernel.first_location()), ..self }
    }

    /// A sentence about the kernel with this reason, behind the place.
    pub(super) fn sentence(&self, what: &str) -> String {
        let place = self.location.iter().map(|place| format!("{place}: ")).collect::<String>();
        format!("{place}{what}: {}", self.text)
    }
}
