//! Queries about instructions and modules.
//!
//! In: IR. Out: plain values. *Invariant:* nothing is changed.

use super::{as_variable, operands, users};
use inkwell::{
    module::Module,
    values::{AsValueRef, GlobalValue, InstructionValue, PointerValue},
};
use llvm_sys::{LLVMTypeKind, core::*, prelude::*};
use std::{collections::HashSet, ffi::c_int};

unsafe extern "C" {
    fn sinter_has_debug_info(module: LLVMModuleRef) -> c_int;
}

/// True if the module has debug information that the user requested.
pub fn has_debug_info(module: &Module<'_>) -> bool {
    // SAFETY: the module is alive.
    unsafe { sinter_has_debug_info(module.as_mut_ptr()) != 0 }
}

/// True if an instruction uses the 80-bit floating-point type of x86.
pub fn uses_x86_fp80(instruction: InstructionValue<'_>) -> bool {
    let value = instruction.as_value_ref();
    // SAFETY: operands and the instruction are live values; a block has a type too.
    let kind = |value| unsafe { LLVMGetTypeKind(LLVMTypeOf(value)) };
    std::iter::once(value).chain(operands(value)).any(|value| kind(value) == LLVMTypeKind::LLVMX86_FP80TypeKind)
}

/// True if a landing pad handles exceptions or ends the program, besides cleaning up.
pub fn has_clauses(landing_pad: InstructionValue<'_>) -> bool {
    // SAFETY: a live value; the function counts clauses of landing pads only.
    let pad = unsafe { LLVMIsALandingPadInst(landing_pad.as_value_ref()) };
    // SAFETY: a live landing pad.
    !pad.is_null() && unsafe { LLVMGetNumClauses(pad) > 0 }
}

/// Collects global variables, each once.
#[derive(Debug, Default)]
pub struct Variables {
    seen: HashSet<LLVMValueRef>,
}

impl Variables {
    /// The variables that an instruction refers to, directly or through constants and constant
    /// variables, except those returned before.
    pub fn of<'ctx>(&mut self, instruction: InstructionValue<'ctx>) -> Vec<GlobalValue<'ctx>> {
        let mut work: Vec<LLVMValueRef> = operands(instruction.as_value_ref()).collect();
        let mut found = Vec::new();
        while let Some(value) = work.pop() {
            // SAFETY: a live value.
            let is_constant = !unsafe { LLVMIsAConstant(value) }.is_null();
            if is_constant && self.seen.insert(value) {
                found.extend(as_variable(value));
                work.extend(parts(value));
            }
        }
        found
    }
}

/// The operands of a constant; the initialiser of a constant variable.
fn parts(constant: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: a live value.
    let is_global = !unsafe { LLVMIsAGlobalValue(constant) }.is_null();
    let is_open = !is_global || as_variable(constant).is_some_and(|variable| variable.is_constant());
    if is_open { operands(constant).collect() } else { Vec::new() }
}

/// The variable that the initialiser of a variable refers to first.
pub fn leading_variable<'ctx>(variable: GlobalValue<'ctx>) -> Option<GlobalValue<'ctx>> {
    // SAFETY: a live variable; null without an initialiser.
    let mut value = unsafe { LLVMGetInitializer(variable.as_value_ref()) };
    while !value.is_null() {
        match as_variable(value) {
            None => value = operands(value).next()?,
            found => return found,
        }
    }
    None
}

/// True if a pointer is only stored to stack slots whose loads have no use.
pub fn is_never_read(pointer: PointerValue<'_>) -> bool {
    users(pointer.as_value_ref()).into_iter().all(|user| {
        // SAFETY: a live value; null unless it is a store.
        let store = unsafe { LLVMIsAStoreInst(user) };
        !store.is_null() && operands(store).nth(1).is_some_and(|slot| is_unread_slot(slot, store))
    })
}

fn is_unread_slot(slot: LLVMValueRef, store: LLVMValueRef) -> bool {
    // SAFETY: a live value; null unless it is a stack slot.
    let is_slot = !unsafe { LLVMIsAAllocaInst(slot) }.is_null();
    is_slot && users(slot).into_iter().all(|user| user == store || is_unused_load(user) || is_lifetime_marker(user))
}

fn is_unused_load(user: LLVMValueRef) -> bool {
    // SAFETY: a live value; null unless it is a load.
    let is_load = !unsafe { LLVMIsALoadInst(user) }.is_null();
    is_load && users(user).is_empty()
}

fn is_lifetime_marker(user: LLVMValueRef) -> bool {
    // SAFETY: a live value; null unless it is a call of an intrinsic.
    !unsafe { LLVMIsAIntrinsicInst(user) }.is_null()
}
