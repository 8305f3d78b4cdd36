//! Reports compile errors, warnings and missed optimisations through clang.
//!
//! In: a message and its location. Out: a diagnostic through the context's handler, which clang
//! turns into `file:line:column: error:` and a failing exit status, or a warning or remark. Mirrors
//! `BackendConsumer::UnsupportedDiagHandler`: the location is the instruction's debug location,
//! else the declaration of the function.

use crate::{place, text::c_string};
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
        severity: c_int,
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

/// Severity of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// A missed optimisation, which clang prints with `-Rpass-missed=sinter-stdpar`. The place has
    /// a function with a body.
    Remark,
    /// A warning, which clang prints unless the place is in a header of a library, and which is an
    /// error with `-Werror`.
    Warning,
    /// An error.
    Error,
}

/// True if an instruction has a place outside of the headers of libraries, whose warnings nobody
/// sees.
pub fn is_of_program(instruction: InstructionValue<'_>) -> bool {
    place::is_of_program(instruction.as_value_ref())
}

/// Reports an error to the compiler of `module`.
pub fn error(module: &Module<'_>, place: Place<'_>, text: &str) {
    report(module, place, Severity::Error, text);
}

/// Reports something to the compiler of `module`.
pub fn report(module: &Module<'_>, place: Place<'_>, severity: Severity, text: &str) {
    let text = c_string(text);
    let function = place.function().map_or(ptr::null_mut(), |function| function.as_value_ref());
    let instruction = match place {
        Place::Instruction(instruction) => instruction.as_value_ref(),
        Place::Module | Place::Function(_) => ptr::null_mut(),
    };
    // SAFETY: live values of the module's context or null, and a C string that LLVM copies.
    unsafe { sinter_diagnose(module.as_mut_ptr(), function, instruction, text.as_ptr(), severity as c_int) };
}
