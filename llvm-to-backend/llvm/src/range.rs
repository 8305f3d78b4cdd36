//! What is known about numbers.
//!
//! In: calls that return integers, and conversions. Out: calls with the range of their results, and
//! whether a conversion's operand is negative. *Invariant:* what is said must be true; the
//! optimiser makes anything of a number outside of its range.

use crate::{ir::Value, session::Session};
use llvm_sys::{core::*, prelude::LLVMMetadataRef};

const RANGE: &str = "range";

impl<'s> Value<'s> {
    /// Says that the result of a call is at least `from` and below `to`, both of which fit its
    /// type.
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

    /// Whether no bit is set in both operands of an `or`.
    pub fn is_disjoint(self) -> bool {
        // SAFETY: callers pass an `or`.
        unsafe { LLVMGetIsDisjoint(self.raw()) != 0 }
    }

    /// Whether the operand of a conversion is known to be no negative number.
    pub fn is_known_positive(self) -> bool {
        // SAFETY: callers pass conversions without a sign.
        unsafe { LLVMGetNNeg(self.raw()) != 0 }
    }
}
