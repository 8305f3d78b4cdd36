//! Metadata of loads and stores.
//!
//! In: a load or store, and another one of the same bytes or the allocation that it touches. Out:
//! the metadata copied to the second; alias scopes. *Invariant:* all metadata is copied, so that
//! the facts about aliases and parallel loops that a vectoriser uses survive a change of type;
//! LLVM's `copyMetadataForLoad` keeps the same kinds if neither type is a pointer and the old one
//! is not an integer. Scopes are added to existing ones.

use crate::{ir::Value, session::Session};
use llvm_sys::{core::*, prelude::LLVMMetadataRef};
use std::ptr;

impl<'s> Value<'s> {
    /// Copies all metadata of another load or store of the same bytes. Neither may access a
    /// pointer, and `from` must not access an integer, because its `!range` would be of the wrong
    /// type.
    pub fn copy_access_metadata(self, from: Value<'s>) {
        // SAFETY: a live value has a type, and that a context.
        let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(from.raw())) };
        let mut count = 0;
        // SAFETY: an instruction, and room for the number of entries.
        let entries = unsafe { LLVMInstructionGetAllMetadataOtherThanDebugLoc(from.raw(), &mut count) };
        for index in 0..count as u32 {
            // SAFETY: one of the entries.
            let kind = unsafe { LLVMValueMetadataEntriesGetKind(entries, index) };
            // SAFETY: as above; the node belongs to the context.
            let node = unsafe { LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, index)) };
            // SAFETY: an instruction of the same context.
            unsafe { LLVMSetMetadata(self.raw(), kind, node) };
        }
        // SAFETY: the list that was made above; it holds no node.
        unsafe { LLVMDisposeValueMetadataEntries(entries) };
    }

    /// Copies what an access says about the memory that it touches: its type, its alias scopes and
    /// its access groups.
    pub fn copy_alias_facts(self, from: Value<'s>) {
        for name in ["tbaa", "alias.scope", "noalias", "llvm.access.group"] {
            // SAFETY: a live value has a type, and that a context.
            let context = unsafe { LLVMGetTypeContext(LLVMTypeOf(from.raw())) };
            // SAFETY: a string with its length.
            let kind = unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32) };
            // SAFETY: callers pass instructions; the node may be null.
            if let Some(node) = Value::wrap(unsafe { LLVMGetMetadata(from.raw(), kind) }) {
                // SAFETY: an instruction and a node of its context.
                unsafe { LLVMSetMetadata(self.raw(), kind, node.raw()) };
            }
        }
    }

    /// Marks an access as disjoint from all allocations in `all` but `own`.
    pub fn set_allocation(self, session: &Session, own: u32, all: &[u32]) {
        let others = all.iter().copied().filter(|other| *other != own);
        self.add_scopes(session, "alias.scope", [own].into_iter());
        self.add_scopes(session, "noalias", others);
    }

    /// Marks an access as disjoint from allocations.
    pub fn avoid_allocations(self, session: &Session, others: &[u32]) {
        self.add_scopes(session, "noalias", others.iter().copied());
    }

    fn add_scopes(self, session: &Session, kind: &str, allocations: impl Iterator<Item = u32>) {
        // SAFETY: a string with its length.
        let kind = unsafe { LLVMGetMDKindIDInContext(session.context(), kind.as_ptr().cast(), kind.len() as u32) };
        // SAFETY: callers pass instructions; the result may be null.
        let old = Value::wrap(unsafe { LLVMGetMetadata(self.raw(), kind) }).map(parts).unwrap_or_default();
        let scopes: Vec<_> = old.into_iter().chain(allocations.map(|number| scope(session, number))).collect();
        if scopes.is_empty() {
            return;
        }
        let list = node(session, scopes);
        // SAFETY: an instruction and a node of its context.
        unsafe { LLVMSetMetadata(self.raw(), kind, LLVMMetadataAsValue(session.context(), list)) };
    }
}

/// The scopes in a list.
fn parts(list: Value<'_>) -> Vec<LLVMMetadataRef> {
    // SAFETY: a node.
    let count = unsafe { LLVMGetMDNodeNumOperands(list.raw()) };
    let mut parts = vec![ptr::null_mut(); count as usize];
    // SAFETY: room for as many parts as the node has.
    unsafe { LLVMGetMDNodeOperands(list.raw(), parts.as_mut_ptr()) };
    // SAFETY: values that stand for metadata, of which lists of scopes hold no null.
    parts.into_iter().map(|part| unsafe { LLVMValueAsMetadata(part) }).collect()
}

/// The alias scope of an allocation: nodes with the same name are the same node.
fn scope(session: &Session, allocation: u32) -> LLVMMetadataRef {
    let domain = node(session, vec![string(session, "sinter.allocations")]);
    node(session, vec![string(session, &format!("sinter.allocation.{allocation}")), domain])
}

fn string(session: &Session, text: &str) -> LLVMMetadataRef {
    // SAFETY: a string with its length, which LLVM copies.
    unsafe { LLVMMDStringInContext2(session.context(), text.as_ptr().cast(), text.len()) }
}

fn node(session: &Session, mut parts: Vec<LLVMMetadataRef>) -> LLVMMetadataRef {
    // SAFETY: live parts of one context.
    unsafe { LLVMMDNodeInContext2(session.context(), parts.as_mut_ptr(), parts.len()) }
}
