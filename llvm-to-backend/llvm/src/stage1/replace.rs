//! Replaces variables by others, and entries of LLVM's lists by fewer.
//!
//! In: live variables of a module. Out: the same module, whose uses of a variable refer to its
//! replacement. *Invariant:* the old variable is erased, and LLVM's verifier accepts the module.

use super::{as_function, operands};
use inkwell::{
    module::Module,
    types::BasicType,
    values::{AsValueRef, BasicValue, FunctionValue, GlobalValue},
};
use llvm_sys::{LLVMLinkage, core::*, prelude::*};
use std::ffi::CStr;

unsafe extern "C" {
    fn sinter_replace_by_call(variable: LLVMValueRef, function: LLVMValueRef);
    fn sinter_copy_properties(to: LLVMValueRef, from: LLVMValueRef);
}

/// The list of the functions that run before `main`.
const CONSTRUCTORS: &CStr = c"llvm.global_ctors";

/// Replaces a variable by one of another type, which takes over name, linkage, alignment and the
/// like. Uses refer to the byte `offset` of the new variable; without `value` it is a declaration.
pub fn retype<'ctx>(
    module: &Module<'ctx>,
    old: GlobalValue<'ctx>,
    ty: impl BasicType<'ctx>,
    value: Option<&dyn BasicValue<'ctx>>,
    offset: u64,
) -> GlobalValue<'ctx> {
    let new = module.add_global(ty, None, "");
    if let Some(value) = value {
        new.set_initializer(&value.as_basic_value_enum());
    }
    // SAFETY: two live variables of one module.
    unsafe { sinter_copy_properties(new.as_value_ref(), old.as_value_ref()) };
    let address = super::embed::address_in(module, new, offset);
    let by = if offset == 0 { new.as_value_ref() } else { address.as_value_ref() };
    replace(old, by);
    new
}

/// Moves a variable to another address space, where its value is undefined.
pub fn move_to_space(module: &Module<'_>, old: GlobalValue<'_>, space: u16) {
    // SAFETY: a live global variable.
    let ty = unsafe { LLVMGlobalGetValueType(old.as_value_ref()) };
    // SAFETY: a live module, a sized type of its context, and a C string.
    let new = unsafe { LLVMAddGlobalInAddressSpace(module.as_mut_ptr(), ty, c"".as_ptr(), space.into()) };
    // SAFETY: a constant of the variable's type.
    unsafe { LLVMSetInitializer(new, LLVMGetUndef(ty)) };
    // SAFETY: two live variables of one module.
    unsafe { sinter_copy_properties(new, old.as_value_ref()) };
    // SAFETY: a pointer and a pointer type of one context.
    let generic = unsafe { LLVMConstAddrSpaceCast(new, LLVMTypeOf(old.as_value_ref())) };
    replace(old, generic);
}

/// Replaces a variable by what a function without parameters returns, which is called once in each
/// function that uses the variable.
pub fn by_call(variable: GlobalValue<'_>, function: FunctionValue<'_>) {
    // SAFETY: a live variable and a live function that returns a pointer.
    unsafe { sinter_replace_by_call(variable.as_value_ref(), function.as_value_ref()) };
}

fn replace(old: GlobalValue<'_>, by: LLVMValueRef) {
    // SAFETY: both are pointers in one address space.
    unsafe { LLVMReplaceAllUsesWith(old.as_value_ref(), by) };
    // SAFETY: nothing uses the variable any more, and the caller gave it up.
    unsafe { LLVMDeleteGlobal(old.as_value_ref()) };
}

/// Keeps a function from running before `main`.
pub fn drop_constructor(module: &Module<'_>, function: FunctionValue<'_>) {
    // SAFETY: a live module and a C string.
    let list = unsafe { LLVMGetNamedGlobal(module.as_mut_ptr(), CONSTRUCTORS.as_ptr()) };
    if list.is_null() {
        return;
    }
    // SAFETY: the list is a live variable with an initialiser.
    let entries: Vec<_> = operands(unsafe { LLVMGetInitializer(list) }).collect();
    let is_other = |entry: &LLVMValueRef| operands(*entry).nth(1).and_then(as_function) != Some(function);
    let mut kept: Vec<_> = entries.iter().copied().filter(is_other).collect();
    if kept.len() == entries.len() {
        return;
    }
    // SAFETY: nothing can refer to this variable, and it is not used afterwards.
    unsafe { LLVMDeleteGlobal(list) };
    let Some(first) = kept.first() else { return };
    // SAFETY: a live constant.
    let element = unsafe { LLVMTypeOf(*first) };
    // SAFETY: the entries have one type.
    let array = unsafe { LLVMConstArray2(element, kept.as_mut_ptr(), kept.len() as u64) };
    // SAFETY: a live module and a C string.
    let list = unsafe { LLVMAddGlobal(module.as_mut_ptr(), LLVMTypeOf(array), CONSTRUCTORS.as_ptr()) };
    // SAFETY: the variable was made with the type of the array.
    unsafe { LLVMSetInitializer(list, array) };
    // SAFETY: as LLVM wants it for this name.
    unsafe { LLVMSetLinkage(list, LLVMLinkage::LLVMAppendingLinkage) };
}
