//! Data and code that stage 1 adds to a host module for the runtime.
//!
//! In: globals and functions of a host module. Out: the same, retained by optimiser and linker.
//! *Invariant:* nothing here is visible to other translation units.

use inkwell::{
    module::Module,
    types::AsTypeRef,
    values::{AsValueRef, FunctionValue, GlobalValue, PointerValue},
};
use llvm_sys::{core::LLVMConstInBoundsGEP2, prelude::LLVMValueRef};
use std::ffi::c_int;

/// Priority of our constructor and destructor: the first one that is not reserved, so that
/// constructors of the program can launch kernels.
const PRIORITY: c_int = 101;

unsafe extern "C" {
    fn sinter_append_used(value: LLVMValueRef);
    fn sinter_append_hook(function: LLVMValueRef, priority: c_int, at_exit: c_int);
}

/// Retains an unreferenced variable (`llvm.used`).
pub fn keep(variable: GlobalValue<'_>) {
    // SAFETY: a live global variable of a module.
    unsafe { sinter_append_used(variable.as_value_ref()) };
}

/// Runs `constructor` before the program's constructors and `destructor` after its destructors.
pub fn register(constructor: FunctionValue<'_>, destructor: FunctionValue<'_>) {
    // SAFETY: a live function of a module.
    unsafe { sinter_append_hook(constructor.as_value_ref(), PRIORITY, 0) };
    // SAFETY: as above.
    unsafe { sinter_append_hook(destructor.as_value_ref(), PRIORITY, 1) };
}

/// The constant address `offset` bytes into a variable.
pub fn address_in<'ctx>(module: &Module<'ctx>, variable: GlobalValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
    let context = module.get_context();
    let mut index = [context.i64_type().const_int(offset, false).as_value_ref()];
    let byte = context.i8_type().as_type_ref();
    // SAFETY: a live variable and one index; `offset` lies inside the variable.
    let address = unsafe { LLVMConstInBoundsGEP2(byte, variable.as_value_ref(), index.as_mut_ptr(), 1) };
    // SAFETY: a constant of pointer type.
    unsafe { PointerValue::new(address) }
}
