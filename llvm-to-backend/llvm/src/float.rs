//! Fast-math flags and error bounds of floating-point operations.
//!
//! *Invariant:* handles are used as `ir.rs` says; queries about an instruction without a
//! floating-point result return false.

use crate::{ir::Value, session::Session};
use llvm_sys::{
    LLVMFastMathAll, LLVMFastMathAllowReassoc, LLVMFastMathAllowReciprocal, LLVMFastMathApproxFunc, core::*,
    prelude::LLVMValueRef,
};

unsafe extern "C" {
    fn sinter_forbid_reciprocal(division: LLVMValueRef);
}

impl Value<'_> {
    /// Sets all fast-math flags of an operation.
    pub fn set_all_fast_math_flags(self) {
        if self.has_fast_math_flags() {
            // SAFETY: an operation that may have such flags.
            unsafe { LLVMSetFastMathFlags(self.raw(), LLVMFastMathAll) };
        }
    }

    /// Permits an error of this many units in the last place (`!fpmath`).
    pub fn allow_error(self, session: &Session, units: f32) {
        // SAFETY: a type of a live context.
        let literal = unsafe { LLVMConstReal(LLVMFloatTypeInContext(session.context()), f64::from(units)) };
        // SAFETY: a live value.
        let mut parts = [unsafe { LLVMValueAsMetadata(literal) }];
        // SAFETY: one live node of the context.
        let node = unsafe { LLVMMDNodeInContext2(session.context(), parts.as_mut_ptr(), parts.len()) };
        // SAFETY: a live node of a live context.
        let node = Value::new(unsafe { LLVMMetadataAsValue(session.context(), node) });
        if self.has_fast_math_flags() {
            self.set_metadata("fpmath", node);
        }
    }

    /// True if an operation may be replaced by an approximation (`afn`).
    pub fn may_be_approximate(self) -> bool {
        self.raw_fast_math_flags() & LLVMFastMathApproxFunc != 0
    }

    /// True if operations of a sum or product may be done in another order (`reassoc`).
    pub fn may_be_reordered(self) -> bool {
        self.raw_fast_math_flags() & LLVMFastMathAllowReassoc != 0
    }

    /// True if a division may multiply by the reciprocal (`arcp`).
    pub fn may_use_reciprocal(self) -> bool {
        self.raw_fast_math_flags() & LLVMFastMathAllowReciprocal != 0
    }

    /// Clears the flag by which a division may multiply by the reciprocal.
    pub fn forbid_reciprocal(self) {
        // SAFETY: callers pass divisions.
        unsafe { sinter_forbid_reciprocal(self.raw()) };
    }

    fn raw_fast_math_flags(self) -> u32 {
        // SAFETY: an operation that may have such flags.
        if self.has_fast_math_flags() { unsafe { LLVMGetFastMathFlags(self.raw()) } } else { 0 }
    }

    fn has_fast_math_flags(self) -> bool {
        // SAFETY: a live value, of which only instructions are asked.
        self.is_instruction() && unsafe { LLVMCanValueUseFastMathFlags(self.raw()) != 0 }
    }
}
