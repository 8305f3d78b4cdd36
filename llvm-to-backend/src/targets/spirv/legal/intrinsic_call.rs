//! Definitions of functions that replace calls of intrinsics.

use super::accepted::is_family;
use sinter_llvm::ir::Value;

/// A call of an intrinsic.
pub(super) struct IntrinsicCall<'c, 's> {
    pub(super) name: &'c str,
    pub(super) arguments: &'c [Value<'s>],
    pub(super) result: Value<'s>,
}

impl IntrinsicCall<'_, '_> {
    pub(super) fn is(&self, family: &str) -> bool {
        is_family(self.name, family)
    }

    /// Indices of the operands that IR does not require to be literals.
    pub(super) fn taken(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|index| !self.is_literal(*index)).collect()
    }

    /// True if an operand must be a literal, for the intrinsics that are defined as text.
    fn is_literal(&self, index: usize) -> bool {
        let families = ["abs", "ctlz", "cttz", "is.fpclass", "vector.splice", "vector.extract", "vector.insert"];
        let last = index + 1 == self.arguments.len() && index > 0;
        let is_listed = families.iter().any(|family| self.is(family) || self.is(&format!("experimental.{family}")));
        last && is_listed
    }

    /// Type of an operand in IR syntax.
    pub(super) fn ty(&self, index: usize) -> String {
        self.arguments.get(index).map(|value| value.ty().text()).unwrap_or_default()
    }

    /// Type of the result in IR syntax.
    pub(super) fn returned(&self) -> String {
        self.result.ty().text()
    }

    /// Operands as `ty %a, ty %b`.
    pub(super) fn parameters(&self) -> String {
        let named = self.taken().into_iter().zip('a'..).map(|(index, name)| format!("{} %{name}", self.ty(index)));
        named.collect::<Vec<_>>().join(", ")
    }

    /// Definition of a function with this body, which computes `%r`.
    pub(super) fn function(&self, body: &str) -> String {
        let (returned, parameters) = (self.returned(), self.parameters());
        format!(
            "define {returned} @NAME({parameters}) alwaysinline nounwind {{\nentry:\n{body}\n  ret {returned} %r\n}}\n"
        )
    }
}
