//! Module changes of stage 1 that inkwell does not offer.
//!
//! In: modules of the context that clang, or a test, owns. Out: the same modules, changed in place.
//! *Invariant:* each function is one mechanical change or query; the caller decides which functions
//! are kernels.

pub mod addresses;
pub mod annotation;
pub mod call;
pub mod diagnose;
pub mod embed;
pub mod flow;
pub mod inspect;
pub mod plugin;
pub mod replace;
pub mod surgery;

use inkwell::values::{AsValueRef, FunctionValue, GlobalValue};
use llvm_sys::prelude::LLVMValueRef;

/// The value as a function, if it is one.
fn as_function<'ctx>(value: LLVMValueRef) -> Option<FunctionValue<'ctx>> {
    if value.is_null() {
        return None;
    }
    // SAFETY: `value` is a live value; the cast returns null for anything but a function.
    let function = unsafe { llvm_sys::core::LLVMIsAFunction(value) };
    // SAFETY: a function or null, which inkwell turns into None.
    unsafe { FunctionValue::new(function) }
}

/// The value as a global variable, if it is one.
fn as_variable<'ctx>(value: LLVMValueRef) -> Option<GlobalValue<'ctx>> {
    // SAFETY: `value` is a live value; the cast returns null for anything but a global variable.
    let variable = unsafe { llvm_sys::core::LLVMIsAGlobalVariable(value) };
    // SAFETY: a global variable.
    (!variable.is_null()).then(|| unsafe { GlobalValue::new(variable) })
}

/// The operands of an instruction or constant.
fn operands(value: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: `value` is a live user.
    let count = unsafe { llvm_sys::core::LLVMGetNumOperands(value) };
    // SAFETY: the index is below the number of operands.
    (0..count.max(0) as u32).map(move |i| unsafe { llvm_sys::core::LLVMGetOperand(value, i) })
}

/// The current users of a value.
fn users(value: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut found = Vec::new();
    // SAFETY: `value` is a live value.
    let mut next = unsafe { llvm_sys::core::LLVMGetFirstUse(value) };
    while !next.is_null() {
        // SAFETY: `next` is a use of a live value.
        found.push(unsafe { llvm_sys::core::LLVMGetUser(next) });
        // SAFETY: as above.
        next = unsafe { llvm_sys::core::LLVMGetNextUse(next) };
    }
    found
}

/// True if the function has no use.
pub fn is_unused(function: FunctionValue<'_>) -> bool {
    users(function.as_value_ref()).is_empty()
}

/// The name of a function as a Rust string.
pub fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}
