//! Operand bundles of calls.
//!
//! *Invariant:* handles are used as `ir.rs` says.

use crate::{ir::Value, text::copy_string};
use llvm_sys::core::*;

impl Value<'_> {
    /// The tags of a call's operand bundles; empty for other instructions.
    pub fn bundles(self) -> Vec<String> {
        if !self.is_call() {
            return Vec::new();
        }
        // SAFETY: a call.
        (0..unsafe { LLVMGetNumOperandBundles(self.raw()) }).map(|index| self.bundle(index)).collect()
    }

    fn bundle(self, index: u32) -> String {
        // SAFETY: a call and an index in range; the handle is ours.
        let bundle = unsafe { LLVMGetOperandBundleAtIndex(self.raw(), index) };
        let mut length = 0;
        // SAFETY: a live bundle and an out-pointer.
        let tag = copy_string(unsafe { LLVMGetOperandBundleTag(bundle, &mut length) }, length);
        // SAFETY: made above, and its tag is copied.
        unsafe { LLVMDisposeOperandBundle(bundle) };
        tag
    }
}
