//! Compatibility of an image's data layout with that of 64-bit hosts.
//!
//! In: a module. Out: true if its types have the sizes and offsets of 64-bit hosts, which the GPU
//! targets share. *Invariant:* register widths, mangling and stack alignment, which the layout
//! string also has, are ignored.

use crate::{ir::Type, module::Module, text::c_string};
use llvm_sys::{core::*, target::*};
use std::ffi::CStr;

/// Size of pointers, and alignment of 64-bit integers and floating-point numbers, in bytes.
const WORD: u32 = 8;

impl Module<'_> {
    /// The data layout if it differs from that of 64-bit hosts. A module without a layout counts as
    /// compatible.
    pub fn foreign_layout(&self) -> Option<String> {
        // SAFETY: a live module, whose text is valid as long as it is not changed.
        let text = unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(self.raw())) }.to_string_lossy().into_owned();
        if text.is_empty() {
            return None;
        }
        let session = self.session();
        // SAFETY: a live context.
        let double = Type::new(unsafe { LLVMDoubleTypeInContext(session.context()) });
        // SAFETY: a text that LLVM has accepted as a layout before; disposed of below.
        let layout = unsafe { LLVMCreateTargetData(c_string(&text).as_ptr()) };
        // SAFETY: a layout and types of a live context.
        let fits = unsafe {
            LLVMByteOrder(layout) == LLVMByteOrdering::LLVMLittleEndian
                && LLVMPointerSize(layout) == WORD
                && [session.pointer(), session.integer(64), double]
                    .into_iter()
                    .all(|ty| LLVMABIAlignmentOfType(layout, ty.raw()) == WORD)
        };
        // SAFETY: not used any more.
        unsafe { LLVMDisposeTargetData(layout) };
        (!fits).then_some(text)
    }
}
