//! What the optimiser may do to floating-point operations.
//!
//! *Invariant:* handles are used as `ir.rs` says; a question about an instruction that computes no floating-point value is
//! answered with no.

use crate::ir::Value;
use llvm_sys::{LLVMFastMathAll, LLVMFastMathAllowReciprocal, LLVMFastMathApproxFunc, core::*};

impl Value<'_> {
    /// Grants an operation everything that `-ffast-math` allows.
    pub fn allow_everything(self) {
        if self.has_freedom() {
            // SAFETY: an operation that may have such flags.
            unsafe { LLVMSetFastMathFlags(self.raw(), LLVMFastMathAll) };
        }
    }

    /// Whether an operation may be replaced by an approximation (`afn`).
    pub fn may_be_approximate(self) -> bool {
        self.freedom() & LLVMFastMathApproxFunc != 0
    }

    /// Whether a division may multiply by the reciprocal (`arcp`).
    pub fn may_use_reciprocal(self) -> bool {
        self.freedom() & LLVMFastMathAllowReciprocal != 0
    }

    fn freedom(self) -> u32 {
        // SAFETY: an operation that may have such flags.
        if self.has_freedom() { unsafe { LLVMGetFastMathFlags(self.raw()) } } else { 0 }
    }

    fn has_freedom(self) -> bool {
        // SAFETY: a live value, of which only instructions are asked.
        self.is_instruction() && unsafe { LLVMCanValueUseFastMathFlags(self.raw()) != 0 }
    }
}
