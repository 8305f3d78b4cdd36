//! The call sites of a function.
//!
//! In: a function. Out: its call sites and their callees. *Invariant:* calls and invokes are both
//! listed, in code order; the list stays valid until one of its instructions is erased.

use super::as_function;
use inkwell::{
    attributes::{Attribute, AttributeLoc},
    values::{AsValueRef, BasicValueEnum, CallSiteValue, FunctionValue, InstructionValue},
};
use llvm_sys::{
    core::{
        LLVMGetCalledValue, LLVMGetInlineAsmAsmString, LLVMGetNumArgOperands, LLVMGetOperand, LLVMIsACallInst,
        LLVMIsAInlineAsm, LLVMIsAInvokeInst,
    },
    prelude::LLVMValueRef,
};

unsafe extern "C" {
    fn sinter_set_callee(call: LLVMValueRef, function: LLVMValueRef);
}

/// The callee of a call site.
#[derive(Debug, Clone, Copy)]
pub enum Callee<'ctx> {
    /// A direct call.
    Function(FunctionValue<'ctx>),
    /// Inline assembly.
    InlineAsm,
    /// A call through a pointer.
    Indirect,
}

/// A call site.
#[derive(Debug, Clone, Copy)]
pub struct Call<'ctx> {
    /// The call or invoke.
    pub instruction: InstructionValue<'ctx>,
    /// Its callee.
    pub callee: Callee<'ctx>,
}

impl<'ctx> Call<'ctx> {
    /// The called function of a direct call.
    pub fn function(&self) -> Option<FunctionValue<'ctx>> {
        match self.callee {
            Callee::Function(function) => Some(function),
            Callee::InlineAsm | Callee::Indirect => None,
        }
    }

    /// True for assembly without instructions and without a result.
    pub fn is_empty_assembly(&self) -> bool {
        if !matches!(self.callee, Callee::InlineAsm) || !self.instruction.get_type().is_void_type() {
            return false;
        }
        let mut length = 0;
        // SAFETY: a live call site.
        let called = unsafe { LLVMGetCalledValue(self.instruction.as_value_ref()) };
        // SAFETY: inline assembly, and a writable length.
        let text = unsafe { LLVMGetInlineAsmAsmString(called, &mut length) };
        // SAFETY: LLVM owns that many bytes as long as the assembly lives.
        let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        text.iter().all(u8::is_ascii_whitespace)
    }

    /// True if the call site has an attribute of its own.
    pub fn has_attribute(&self, kind: u32) -> bool {
        self.site().get_enum_attribute(AttributeLoc::Function, kind).is_some()
    }

    /// Adds an attribute to the call site.
    pub fn add_attribute(&self, attribute: Attribute) {
        self.site().add_attribute(AttributeLoc::Function, attribute);
    }

    /// Removes an attribute of the call site.
    pub fn remove_attribute(&self, kind: u32) {
        self.site().remove_enum_attribute(AttributeLoc::Function, kind);
    }

    /// Makes a direct call one of another function of the same type.
    pub fn set_callee(&self, function: FunctionValue<'ctx>) {
        // SAFETY: a live call site, and a function of the module that has it.
        unsafe { sinter_set_callee(self.instruction.as_value_ref(), function.as_value_ref()) };
    }

    fn site(&self) -> CallSiteValue<'ctx> {
        // SAFETY: only call sites become a `Call`.
        unsafe { CallSiteValue::new(self.instruction.as_value_ref()) }
    }
}

/// The instructions of a function.
pub fn instructions<'ctx>(function: FunctionValue<'ctx>) -> impl Iterator<Item = InstructionValue<'ctx>> {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions())
}

/// The arguments of a call site whose parameters are scalars or pointers.
pub fn arguments(call: InstructionValue<'_>) -> Vec<BasicValueEnum<'_>> {
    // SAFETY: the caller passes a call site.
    let count = unsafe { LLVMGetNumArgOperands(call.as_value_ref()) };
    // SAFETY: arguments are the first operands of a call site.
    let operand = |i| unsafe { LLVMGetOperand(call.as_value_ref(), i) };
    // SAFETY: a live value of a first-class type.
    (0..count).map(|i| unsafe { BasicValueEnum::new(operand(i)) }).collect()
}

/// The call sites of a function.
pub fn calls<'ctx>(function: FunctionValue<'ctx>) -> Vec<Call<'ctx>> {
    instructions(function).filter_map(as_call).collect()
}

fn as_call(instruction: InstructionValue<'_>) -> Option<Call<'_>> {
    // SAFETY: a live instruction; null unless it is a call.
    let call = unsafe { LLVMIsACallInst(instruction.as_value_ref()) };
    // SAFETY: a live instruction; null unless it is an invoke.
    let invoke = unsafe { LLVMIsAInvokeInst(instruction.as_value_ref()) };
    if call.is_null() && invoke.is_null() {
        return None;
    }
    // SAFETY: a call site.
    let called = unsafe { LLVMGetCalledValue(instruction.as_value_ref()) };
    // SAFETY: a live value.
    let is_asm = !unsafe { LLVMIsAInlineAsm(called) }.is_null();
    let callee = match as_function(called) {
        Some(function) => Callee::Function(function),
        None if is_asm => Callee::InlineAsm,
        None => Callee::Indirect,
    };
    Some(Call { instruction, callee })
}
