//! What an image was compiled for, as far as it shows in memory.
//!
//! In: a module. Out: whether its types have the sizes and places that 64-bit hosts give them, and
//! GPUs after them. *Invariant:* widths of registers, mangling and the stack, which the text also
//! names, do not count.

use crate::{ir::Type, module::Module, text::c_string};
use llvm_sys::{core::*, target::*};
use std::ffi::CStr;

/// Bytes of pointers, and of the alignment of integers and floating-point numbers of 64 bits.
const WORD: u32 = 8;

impl Module<'_> {
    /// The data layout where it is another than that of 64-bit hosts. A module that names none is
    /// taken for one of theirs.
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
