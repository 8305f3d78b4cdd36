//! Reports compile errors and missed optimisations through clang.
//!
//! In: a message and its location. Out: a diagnostic through the context's handler, which clang
//! turns into `file:line:column: error:` and a failing exit status, or into a remark. Mirrors
//! `BackendConsumer::UnsupportedDiagHandler`: the location is the instruction's debug location,
//! else the declaration of the function.

use crate::text::c_string;
use inkwell::{
    module::Module,
    values::{AsValueRef, FunctionValue, InstructionValue},
};
use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use std::{
    ffi::{c_char, c_int},
    ptr,
};

unsafe extern "C" {
    fn sinter_diagnose(
        module: LLVMModuleRef,
        function: LLVMValueRef,
        instruction: LLVMValueRef,
        text: *const c_char,
        missed: c_int,
    );
}

/// Location of an error.
#[derive(Debug, Clone, Copy)]
pub enum Place<'ctx> {
    /// The module as a whole.
    Module,
    /// A function.
    Function(FunctionValue<'ctx>),
    /// An instruction of a function.
    Instruction(InstructionValue<'ctx>),
}

impl<'ctx> Place<'ctx> {
    /// The function itself, or the one that contains the instruction.
    pub fn function(self) -> Option<FunctionValue<'ctx>> {
        match self {
            Place::Module => None,
            Place::Function(function) => Some(function),
            Place::Instruction(instruction) => instruction.get_parent().and_then(|block| block.get_parent()),
        }
    }
}

/// Reports an error to the compiler of `module`.
pub fn error(module: &Module<'_>, place: Place<'_>, text: &str) {
    diagnose(module, place, text, false);
}

/// Reports an optimisation that was missed, which clang prints with `-Rpass-missed=sinter-stdpar`.
/// The place has a function with a body.
pub fn missed(module: &Module<'_>, place: Place<'_>, text: &str) {
    diagnose(module, place, text, true);
}

fn diagnose(module: &Module<'_>, place: Place<'_>, text: &str, missed: bool) {
    let text = c_string(text);
    let function = place.function().map_or(ptr::null_mut(), |function| function.as_value_ref());
    let instruction = match place {
        Place::Instruction(instruction) => instruction.as_value_ref(),
        Place::Module | Place::Function(_) => ptr::null_mut(),
    };
    // SAFETY: live values of the module's context or null, and a C string that LLVM copies.
    unsafe { sinter_diagnose(module.as_mut_ptr(), function, instruction, text.as_ptr(), missed.into()) };
}
