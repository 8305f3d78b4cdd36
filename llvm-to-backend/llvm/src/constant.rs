//! Initial values of variables, as bytes.
//!
//! In: a variable with an initial value of any type. Out: one of the same bytes. *Invariant:* handles are used as `ir.rs`
//! says; the old variable is gone.

use crate::ir::Value;
use llvm_sys::prelude::*;

unsafe extern "C" {
    fn sinter_is_written_as_it_lies(global: LLVMValueRef) -> bool;
    fn sinter_is_spelled(global: LLVMValueRef) -> bool;
    fn sinter_spell_as_bytes(global: LLVMValueRef) -> LLVMValueRef;
}

impl<'s> Value<'s> {
    /// Whether a variable's type has no gaps that LLVM's printer of PTX would leave out.
    pub fn is_written_as_it_lies(self) -> bool {
        // SAFETY: callers pass variables.
        unsafe { sinter_is_written_as_it_lies(self.raw()) }
    }

    /// Whether a variable's initial value consists of literals and of addresses with an offset that is not negative.
    pub fn is_spelled(self) -> bool {
        // SAFETY: callers pass variables with an initial value.
        unsafe { sinter_is_spelled(self.raw()) }
    }

    /// Makes a variable one of bytes and addresses. `None`, and nothing is changed, where its value has no such form.
    pub fn spell_as_bytes(self) -> Option<Value<'s>> {
        // SAFETY: callers pass variables with an initial value.
        Value::wrap(unsafe { sinter_spell_as_bytes(self.raw()) })
    }
}
