//! Value ranges and flags of integers.
//!
//! In: calls that return integers, and conversions. Out: calls with a result range; true if a
//! conversion's operand is non-negative. *Invariant:* a range must be true; a value outside of it
//! is poison.

use crate::{ir::Value, session::Session};
use llvm_sys::{core::*, prelude::LLVMMetadataRef};

const RANGE: &str = "range";

impl<'s> Value<'s> {
    /// Sets the range of a call's result to `from` up to but not including `to`, both of which fit
    /// its type.
    pub fn set_range(self, session: &Session, from: u64, to: u64) {
        let ty = self.ty();
        let (Some(from), Some(to)) = (ty.constant(from), ty.constant(to)) else { return };
        // SAFETY: constants.
        let mut ends: [LLVMMetadataRef; 2] = [from, to].map(|end| unsafe { LLVMValueAsMetadata(end.raw()) });
        // SAFETY: a live context and two parts of it.
        let node = unsafe { LLVMMDNodeInContext2(session.context(), ends.as_mut_ptr(), ends.len()) };
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetMDKindIDInContext(session.context(), RANGE.as_ptr().cast(), RANGE.len() as u32) };
        // SAFETY: callers pass calls; a node of their context.
        unsafe { LLVMSetMetadata(self.raw(), kind, LLVMMetadataAsValue(session.context(), node)) };
    }

    /// True for a `disjoint` `or`.
    pub fn is_disjoint(self) -> bool {
        // SAFETY: callers pass an `or`.
        unsafe { LLVMGetIsDisjoint(self.raw()) != 0 }
    }

    /// True for a conversion with the flag `nneg`.
    pub fn is_known_positive(self) -> bool {
        // SAFETY: callers pass conversions without a sign.
        unsafe { LLVMGetNNeg(self.raw()) != 0 }
    }
}
