//! Unroll hints for loops.
//!
//! In: the branch of a loop's latch. Out: the same with `llvm.loop` metadata, as in LangRef.
//! *Invariant:* hints in the source take precedence: only a loop without them gets ours. What clang
//! forbids for every loop at a level is no hint of the source.

use crate::{ir::Value, session::Session};
use inkwell::{module::Module, values::AsValueRef};
use llvm_sys::{core::*, debuginfo::*, prelude::*};
use std::ptr;

const LOOP: &str = "llvm.loop";
/// Marks a loop that ends or has side effects, as every C++ loop does.
const PROGRESS: &[u8] = b"llvm.loop.mustprogress";
const DISABLED: &[u8] = b"llvm.loop.unroll.disable";

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
        // SAFETY: callers pass instructions.
        let present = unsafe { hints(session.context(), self.raw()) };
        if present.iter().any(|part| !is_neutral(*part)) {
            return false;
        }
        // SAFETY: an instruction and operands of its context.
        unsafe { set_hints(session.context(), self.raw(), &present, Some(hint(session, how))) };
        true
    }

    /// Drops the hints that forbid to unroll the loop that this branch closes.
    pub fn allow_unrolling(self, session: &Session) {
        // SAFETY: callers pass instructions.
        unsafe { allow(session.context(), self.raw()) };
    }
}

/// Drops the hints that forbid to unroll loops.
pub fn allow_unrolling(module: &Module<'_>) {
    // SAFETY: the module is alive.
    let context = unsafe { LLVMGetModuleContext(module.as_mut_ptr()) };
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    for branch in blocks.filter_map(|block| block.get_terminator()) {
        // SAFETY: an instruction of the context.
        unsafe { allow(context, branch.as_value_ref()) };
    }
}

/// Drops the hints of a loop that forbid to unroll it.
///
/// # Safety
/// The branch of a loop's latch, in this live context.
unsafe fn allow(context: LLVMContextRef, branch: LLVMValueRef) {
    // SAFETY: an instruction of the context, by the caller's promise.
    let present = unsafe { hints(context, branch) };
    let kept: Vec<_> = present.iter().copied().filter(|part| !is_named(*part, DISABLED)).collect();
    if kept.len() < present.len() {
        // SAFETY: an instruction and operands of its context.
        unsafe { set_hints(context, branch, &kept, None) };
    }
}

fn kind(context: LLVMContextRef) -> u32 {
    // SAFETY: a live context, and a string with its length.
    unsafe { LLVMGetMDKindIDInContext(context, LOOP.as_ptr().cast(), LOOP.len() as u32) }
}

/// The operands of a loop's node without the first one, which is the node itself.
///
/// # Safety
/// A branch of this live context.
unsafe fn hints(context: LLVMContextRef, branch: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: an instruction, by the caller's promise; the result may be null.
    let node = Value::wrap(unsafe { LLVMGetMetadata(branch, kind(context)) });
    node.map(parts).unwrap_or_default().into_iter().skip(1).collect()
}

/// # Safety
/// A branch and operands of this live context.
unsafe fn set_hints(
    context: LLVMContextRef,
    branch: LLVMValueRef,
    present: &[LLVMValueRef],
    added: Option<LLVMMetadataRef>,
) {
    let node = loop_node(context, present, added);
    // SAFETY: an instruction and a node of its context.
    unsafe { LLVMSetMetadata(branch, kind(context), LLVMMetadataAsValue(context, node)) };
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
    name_of(part).is_none_or(|name| name == PROGRESS)
}

fn is_named(part: LLVMValueRef, name: &[u8]) -> bool {
    name_of(part).is_some_and(|found| found == name)
}

/// The name of a hint; `None` for other operands.
fn name_of<'a>(part: LLVMValueRef) -> Option<&'a [u8]> {
    let name = Value::wrap(*parts(Value::wrap(part)?).first()?)?;
    let mut length = 0;
    // SAFETY: a metadata value; null where it is no string.
    let text = unsafe { LLVMGetMDString(name.raw(), &raw mut length) };
    // SAFETY: a string of that length, which the context owns.
    (!text.is_null()).then(|| unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) })
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
fn loop_node(context: LLVMContextRef, present: &[LLVMValueRef], added: Option<LLVMMetadataRef>) -> LLVMMetadataRef {
    // SAFETY: a live context; the node gets no parts.
    let own = unsafe { LLVMTemporaryMDNode(context, ptr::null_mut(), 0) };
    // SAFETY: values that stand for metadata.
    let present = present.iter().filter(|part| !part.is_null()).map(|part| unsafe { LLVMValueAsMetadata(*part) });
    let mut parts: Vec<_> = [own].into_iter().chain(present).chain(added).collect();
    // SAFETY: live parts of one context.
    let node = unsafe { LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len()) };
    // SAFETY: a temporary node, which this deletes, and a live one.
    unsafe { LLVMMetadataReplaceAllUsesWith(own, node) };
    node
}
