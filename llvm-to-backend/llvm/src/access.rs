//! Copies the metadata of loads and stores.
//!
//! In: a load or store, and another of the same bytes as another type. Out: the second with the
//! metadata of the first. *Invariant:* all of it is copied, so that what a vectoriser knows of
//! aliases and parallel loops survives a change of type. LLVM's `copyMetadataForLoad` keeps the
//! same kinds where neither type is a pointer and the old one is not an integer.

use crate::ir::Value;
use llvm_sys::core::*;

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
}
