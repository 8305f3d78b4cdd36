//! Unroll hints for loops.
//!
//! In: the branch of a loop's latch. Out: the same with `llvm.loop` metadata, as in LangRef.
//! *Invariant:* hints in the source take precedence: only a loop without them gets ours.

use crate::{ir::Value, session::Session};
use llvm_sys::{core::*, debuginfo::*, prelude::*};
use std::ptr;

const LOOP: &str = "llvm.loop";
/// Marks a loop that ends or has side effects, as every C++ loop does.
const PROGRESS: &[u8] = b"llvm.loop.mustprogress";

/// An unroll hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unroll {
    /// Completely, if LLVM knows the trip count.
    Full,
    /// By this factor.
    By(u32),
}

impl<'s> Value<'s> {
    /// Sets the unroll hint of the loop that this branch closes. Returns false if the source has
    /// hints for it.
    pub fn unroll(self, session: &Session, how: Unroll) -> bool {
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetMDKindIDInContext(session.context(), LOOP.as_ptr().cast(), LOOP.len() as u32) };
        // SAFETY: callers pass instructions; the result may be null.
        let old = Value::wrap(unsafe { LLVMGetMetadata(self.raw(), kind) });
        // The first operand is the node itself.
        let present: Vec<_> = old.map(parts).unwrap_or_default().into_iter().skip(1).collect();
        if present.iter().any(|part| !is_neutral(*part)) {
            return false;
        }
        let node = loop_node(session, &present, hint(session, how));
        // SAFETY: an instruction and a node of its context.
        unsafe { LLVMSetMetadata(self.raw(), kind, LLVMMetadataAsValue(session.context(), node)) };
        true
    }
}

/// The operands of a node; null for a missing one.
fn parts(node: Value<'_>) -> Vec<LLVMValueRef> {
    // SAFETY: a node.
    let count = unsafe { LLVMGetMDNodeNumOperands(node.raw()) };
    let mut parts = vec![ptr::null_mut(); count as usize];
    // SAFETY: room for as many parts as the node has.
    unsafe { LLVMGetMDNodeOperands(node.raw(), parts.as_mut_ptr()) };
    parts
}

/// True if an operand of a loop's node is not about unrolling: a source location, or [`PROGRESS`].
fn is_neutral(part: LLVMValueRef) -> bool {
    let Some(node) = Value::wrap(part) else { return true };
    let Some(Some(name)) = parts(node).first().map(|first| Value::wrap(*first)) else { return true };
    let mut length = 0;
    // SAFETY: a metadata value; null where it is no string.
    let text = unsafe { LLVMGetMDString(name.raw(), &raw mut length) };
    // SAFETY: a string of that length, which the context owns.
    text.is_null() || unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) } == PROGRESS
}

fn hint(session: &Session, how: Unroll) -> LLVMMetadataRef {
    let name = match how {
        Unroll::Full => "llvm.loop.unroll.full",
        Unroll::By(_) => "llvm.loop.unroll.count",
    };
    // SAFETY: a string with its length, which LLVM copies.
    let mut parts = vec![unsafe { LLVMMDStringInContext2(session.context(), name.as_ptr().cast(), name.len()) }];
    if let Unroll::By(count) = how {
        // SAFETY: an integer type of a live context.
        let literal = unsafe { LLVMConstInt(LLVMInt32TypeInContext(session.context()), u64::from(count), 0) };
        // SAFETY: a live value.
        parts.push(unsafe { LLVMValueAsMetadata(literal) });
    }
    // SAFETY: live parts of one context.
    unsafe { LLVMMDNodeInContext2(session.context(), parts.as_mut_ptr(), parts.len()) }
}

/// A distinct node, whose first operand is itself.
fn loop_node(session: &Session, present: &[LLVMValueRef], hint: LLVMMetadataRef) -> LLVMMetadataRef {
    // SAFETY: a live context; the node gets no parts.
    let own = unsafe { LLVMTemporaryMDNode(session.context(), ptr::null_mut(), 0) };
    // SAFETY: values that stand for metadata.
    let present = present.iter().filter(|part| !part.is_null()).map(|part| unsafe { LLVMValueAsMetadata(*part) });
    let mut parts: Vec<_> = [own].into_iter().chain(present).chain([hint]).collect();
    // SAFETY: live parts of one context.
    let node = unsafe { LLVMMDNodeInContext2(session.context(), parts.as_mut_ptr(), parts.len()) };
    // SAFETY: a temporary node, which this deletes, and a live one.
    unsafe { LLVMMetadataReplaceAllUsesWith(own, node) };
    node
}
