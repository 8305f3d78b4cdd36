//! Changes to functions and globals that LLVM's C interface lacks.
//!
//! In: live IR. Out: the same IR, changed. *Invariant:* each function leaves a module that LLVM's
//! verifier accepts, except [`move_body`], whose caller still has to replace the old parameters.

use super::{operands, users};
use crate::text::c_string;
use inkwell::{
    builder::{Builder, BuilderError},
    module::{Linkage, Module},
    types::{AsTypeRef, FunctionType},
    values::{AsValueRef, BasicValue, FunctionValue, GlobalValue, InstructionValue, PointerValue},
};
use llvm_sys::{core::*, error::*, prelude::*, transforms::pass_builder::*};
use std::{
    ffi::{CStr, c_char, c_int},
    ptr,
};

unsafe extern "C" {
    fn sinter_keep_reachable(module: LLVMModuleRef, roots: *mut LLVMValueRef, count: usize);
    fn sinter_reaches(root: LLVMValueRef, wanted: *mut LLVMValueRef, count: usize) -> c_int;
    fn sinter_clone_reachable(root: LLVMValueRef) -> LLVMModuleRef;
    fn sinter_fold_loads(variable: LLVMValueRef, value: u64);
    fn sinter_invokes_to_calls(function: LLVMValueRef);
    fn sinter_trap_at(instruction: LLVMValueRef);
    fn sinter_remove_unreachable(function: LLVMValueRef);
    fn sinter_define_as_trap(function: LLVMValueRef);
    fn sinter_move_body(function: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef;
    fn sinter_erase_call(instruction: LLVMValueRef);
    fn sinter_neutralize(value: LLVMValueRef);
    fn sinter_drop_alias(value: LLVMValueRef);
    fn sinter_null_in_value(variable: LLVMValueRef, dropped: *mut LLVMValueRef, count: usize);
    fn sinter_clone(function: LLVMValueRef, name: *const c_char) -> LLVMValueRef;
    fn sinter_set_comdat(function: LLVMValueRef);
    fn sinter_drop_host_metadata(module: LLVMModuleRef, debug: c_int);
    fn sinter_drop_used_lists(module: LLVMModuleRef);
}

/// Erases every function and global that the roots do not reach.
pub fn keep_reachable(module: &Module<'_>, roots: &[GlobalValue<'_>]) {
    let mut roots: Vec<LLVMValueRef> = roots.iter().map(|root| root.as_value_ref()).collect();
    // SAFETY: the roots belong to the module; the array is read during the call only.
    unsafe { sinter_keep_reachable(module.as_mut_ptr(), roots.as_mut_ptr(), roots.len()) };
}

/// True if a function reaches one of these global values of its module.
pub fn reaches(root: FunctionValue<'_>, wanted: &[GlobalValue<'_>]) -> bool {
    let mut wanted: Vec<LLVMValueRef> = wanted.iter().map(|one| one.as_value_ref()).collect();
    // SAFETY: live values of one module; the array is read during the call only.
    unsafe { sinter_reaches(root.as_value_ref(), wanted.as_mut_ptr(), wanted.len()) != 0 }
}

/// A module with copies of all that a function reaches, and nothing else.
pub fn clone_reachable<'ctx>(root: FunctionValue<'ctx>) -> Module<'ctx> {
    // SAFETY: a live function, whose context outlives the copy.
    let copy = unsafe { sinter_clone_reachable(root.as_value_ref()) };
    // SAFETY: a new module, which nothing else owns.
    let copy = unsafe { Module::new(copy) };
    let roots: Vec<_> = copy.get_function(&super::name(root)).iter().map(|copy| copy.as_global_value()).collect();
    keep_reachable(&copy, &roots);
    copy
}

/// Gives an integer variable a value and removes the code that becomes unreachable, at any
/// optimisation level.
pub fn fold_loads(variable: GlobalValue<'_>, value: u64) {
    // SAFETY: a live global variable.
    unsafe { sinter_fold_loads(variable.as_value_ref(), value) };
}

/// Replaces loads of the bytes before a function, where sanitizers store its type hash, by zeros.
pub fn zero_type_hashes(function: FunctionValue<'_>) {
    users(function.as_value_ref()).into_iter().flat_map(loads_from).for_each(|load| {
        // SAFETY: a load yields a first-class type, which has a null value.
        let zero = unsafe { LLVMConstNull(LLVMTypeOf(load)) };
        // SAFETY: a value of the same type.
        unsafe { LLVMReplaceAllUsesWith(load, zero) };
        // SAFETY: nothing uses the load any more.
        unsafe { LLVMInstructionEraseFromParent(load) };
    });
}

/// The loads whose address is this constant expression.
fn loads_from(address: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: a live value; null unless it is a constant expression.
    let is_expression = !unsafe { LLVMIsAConstantExpr(address) }.is_null();
    // SAFETY: a live value; null unless it is a load.
    let is_load = |user: &LLVMValueRef| !unsafe { LLVMIsALoadInst(*user) }.is_null();
    if is_expression { users(address).into_iter().filter(is_load).collect() } else { Vec::new() }
}

/// Turns invokes into calls and removes the landing pads.
pub fn invokes_to_calls(function: FunctionValue<'_>) {
    // SAFETY: a live function with a body.
    unsafe { sinter_invokes_to_calls(function.as_value_ref()) };
}

/// Replaces an instruction and all that follow it in its block by a trap.
pub fn trap_at(instruction: InstructionValue<'_>) {
    // SAFETY: a live instruction in a function.
    unsafe { sinter_trap_at(instruction.as_value_ref()) };
}

/// Removes unreachable blocks.
pub fn remove_unreachable(function: FunctionValue<'_>) {
    // SAFETY: a live function with a body.
    unsafe { sinter_remove_unreachable(function.as_value_ref()) };
}

/// Moves a body into a new function of another type, which takes over name and attributes. The body
/// still uses the parameters of the old function, which is left without body and name.
pub fn move_body<'ctx>(function: FunctionValue<'ctx>, ty: FunctionType<'ctx>) -> Option<FunctionValue<'ctx>> {
    // SAFETY: a live function and a function type of its context.
    let moved = unsafe { sinter_move_body(function.as_value_ref(), ty.as_type_ref()) };
    super::as_function(moved)
}

/// Erases a function. Remaining references become poison.
pub fn erase_function(function: FunctionValue<'_>) {
    let value = function.as_value_ref();
    // SAFETY: poison of the same type.
    unsafe { LLVMReplaceAllUsesWith(value, LLVMGetPoison(LLVMTypeOf(value))) };
    // SAFETY: nothing refers to the function any more, and the caller gave it up.
    unsafe { LLVMDeleteFunction(value) };
}

/// Replaces all uses of a pointer by another.
pub fn replace_uses(of: PointerValue<'_>, by: PointerValue<'_>) {
    // SAFETY: both are live pointers in address space 0 of one module.
    unsafe { LLVMReplaceAllUsesWith(of.as_value_ref(), by.as_value_ref()) };
}

/// Replaces all uses of an instruction by a value of its type and erases it.
pub fn replace_instruction<'ctx>(instruction: InstructionValue<'ctx>, by: &dyn BasicValue<'ctx>) {
    // SAFETY: the caller computed `by` with the type of the instruction.
    unsafe { LLVMReplaceAllUsesWith(instruction.as_value_ref(), by.as_value_ref()) };
    instruction.erase_from_basic_block();
}

/// Erases a call or invoke that returns nothing.
pub fn erase_call(instruction: InstructionValue<'_>) {
    // SAFETY: a live call site without uses, given up by the caller.
    unsafe { sinter_erase_call(instruction.as_value_ref()) };
}

/// `pointer` plus a number of bytes.
pub fn byte_offset<'ctx>(
    builder: &Builder<'ctx>,
    pointer: PointerValue<'ctx>,
    offset: u64,
) -> Result<PointerValue<'ctx>, BuilderError> {
    if offset == 0 {
        return Ok(pointer);
    }
    let context = pointer.get_type().get_context();
    let index = context.i64_type().const_int(offset, false);
    // SAFETY: the caller's offset lies inside the object.
    unsafe { builder.build_in_bounds_gep(context.i8_type(), pointer, &[index], "") }
}

/// The argument of a call, without constant address casts.
pub fn argument<'ctx>(call: InstructionValue<'ctx>, index: u32) -> Option<PointerValue<'ctx>> {
    let value = operands(call.as_value_ref()).nth(index as usize)?;
    // SAFETY: a live value.
    let kind = unsafe { LLVMGetTypeKind(LLVMTypeOf(value)) };
    // SAFETY: a pointer.
    (kind == llvm_sys::LLVMTypeKind::LLVMPointerTypeKind).then(|| unsafe { PointerValue::new(value) })
}

/// The function that a constant pointer refers to.
pub fn named_function<'ctx>(pointer: PointerValue<'ctx>) -> Option<FunctionValue<'ctx>> {
    super::as_function(pointer.as_value_ref())
}

/// The variable that a constant pointer points to or into.
pub fn named_variable<'ctx>(pointer: PointerValue<'ctx>) -> Option<GlobalValue<'ctx>> {
    let mut value = pointer.as_value_ref();
    // SAFETY: a live value; null unless it is a constant expression, whose first operand is what it
    // casts or adds to.
    while !unsafe { LLVMIsAConstantExpr(value) }.is_null() {
        value = operands(value).next()?;
    }
    super::as_variable(value)
}

/// Replaces references to other variables in a variable's initialiser by null.
pub fn null_in_value(variable: GlobalValue<'_>, dropped: &[GlobalValue<'_>]) {
    let mut dropped: Vec<LLVMValueRef> = dropped.iter().map(|variable| variable.as_value_ref()).collect();
    // SAFETY: live variables of one module; the array is read during the call only.
    unsafe { sinter_null_in_value(variable.as_value_ref(), dropped.as_mut_ptr(), dropped.len()) };
}

/// Removes comdat, section, visibility, sanitizer metadata and the like.
pub fn neutralize(value: GlobalValue<'_>) {
    // SAFETY: a live global value.
    unsafe { sinter_neutralize(value.as_value_ref()) };
}

/// Replaces aliases by their aliasees.
pub fn drop_aliases(module: &Module<'_>) {
    loop {
        // SAFETY: the module is alive.
        let alias = unsafe { LLVMGetFirstGlobalAlias(module.as_mut_ptr()) };
        if alias.is_null() {
            return;
        }
        // SAFETY: a live alias, which is gone afterwards.
        unsafe { sinter_drop_alias(alias) };
    }
}

/// Removes names, module flags and, unless `debug`, debug information: everything that identifies
/// the origin of the module.
pub fn drop_host_metadata(module: &Module<'_>, debug: bool) {
    // SAFETY: the module is alive.
    unsafe { sinter_drop_host_metadata(module.as_mut_ptr(), debug.into()) };
}

/// Lets variables and functions be removed that clang wants to be kept.
pub fn drop_used_lists(module: &Module<'_>) {
    // SAFETY: the module is alive.
    unsafe { sinter_drop_used_lists(module.as_mut_ptr()) };
}

/// A copy of a function under another name, which the linker merges with copies of that name.
pub fn copy_as<'ctx>(function: FunctionValue<'ctx>, name: &str) -> Option<FunctionValue<'ctx>> {
    // SAFETY: a live function with a body, and a C string that LLVM copies.
    let copy = unsafe { sinter_clone(function.as_value_ref(), c_string(name).as_ptr()) };
    super::as_function(copy)
}

/// Lets the linker merge a function with others of its name.
pub fn set_own_comdat(function: FunctionValue<'_>) {
    // SAFETY: a live function.
    unsafe { sinter_set_comdat(function.as_value_ref()) };
}

/// Gives a function an internal body that traps.
pub fn define_as_trap(function: FunctionValue<'_>) {
    // SAFETY: a live function.
    unsafe { sinter_define_as_trap(function.as_value_ref()) };
}

/// Replaces a variable by a declaration under another name.
pub fn declare_as(module: &Module<'_>, variable: GlobalValue<'_>, name: &str) {
    let value = variable.as_value_ref();
    // SAFETY: a live global variable.
    let ty = unsafe { LLVMGlobalGetValueType(value) };
    // SAFETY: a live module, a sized type of its context and a C string.
    let declared = unsafe { LLVMAddGlobal(module.as_mut_ptr(), ty, c_string(name).as_ptr()) };
    // SAFETY: two live variables.
    unsafe { LLVMSetAlignment(declared, LLVMGetAlignment(value)) };
    // SAFETY: a pointer for a pointer.
    unsafe { LLVMReplaceAllUsesWith(value, declared) };
    // SAFETY: nothing uses the variable any more, and the caller gave it up.
    unsafe { LLVMDeleteGlobal(value) };
}

/// Defines a declared variable as internal and zero.
pub fn define_as_zero(variable: GlobalValue<'_>) {
    // SAFETY: a live global variable.
    let ty = unsafe { LLVMGlobalGetValueType(variable.as_value_ref()) };
    // SAFETY: a constant of the variable's type.
    unsafe { LLVMSetInitializer(variable.as_value_ref(), LLVMConstNull(ty)) };
    neutralize(variable);
    variable.set_linkage(Linkage::Internal);
}

/// Runs a pipeline that needs no target machine.
pub fn run_passes(module: &Module<'_>, pipeline: &str) -> Result<(), String> {
    let pipeline = c_string(pipeline);
    // SAFETY: no arguments.
    let options = unsafe { LLVMCreatePassBuilderOptions() };
    // SAFETY: a live module, a C string, no target machine, live options.
    let error = unsafe { LLVMRunPasses(module.as_mut_ptr(), pipeline.as_ptr(), ptr::null_mut(), options) };
    // SAFETY: made above and not used afterwards.
    unsafe { LLVMDisposePassBuilderOptions(options) };
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: an error that belongs to us, given up here.
    let message = unsafe { LLVMGetErrorMessage(error) };
    // SAFETY: a C string until it is disposed of below.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: made by LLVMGetErrorMessage.
    unsafe { LLVMDisposeErrorMessage(message) };
    Err(text)
}
