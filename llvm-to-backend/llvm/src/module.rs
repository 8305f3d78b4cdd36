//! A module and the operations on a whole module.
//!
//! *Invariant:* every operation that can fail inside LLVM is guarded and followed by
//! [`Session::check`]. A module is leaked once the process is poisoned, because an interrupted pass
//! leaves it in an undefined state.

use crate::{
    error::LlvmError,
    guard::{self, guarded},
    ir::Value,
    machine::{Machine, take_buffer},
    session::Session,
    text::{c_string, copy_string, take_message},
};
use llvm_sys::{
    analysis::LLVMVerifierFailureAction, bit_writer::LLVMWriteBitcodeToMemoryBuffer, core::*,
    debuginfo::LLVMStripModuleDebugInfo, prelude::*, target::LLVMSetModuleDataLayout,
    target_machine::LLVMTargetMachineRef,
};
use std::{
    ffi::{c_char, c_int},
    mem::ManuallyDrop,
    ptr,
};

unsafe extern "C-unwind" {
    fn LLVMVerifyModule(
        module: LLVMModuleRef,
        action: LLVMVerifierFailureAction,
        message: *mut *mut c_char,
    ) -> LLVMBool;
    fn sinter_run_passes(
        module: LLVMModuleRef,
        passes: *const c_char,
        machine: LLVMTargetMachineRef,
        limit: u64,
    ) -> *mut c_char;
    fn sinter_link_needed(into: LLVMModuleRef, from: LLVMModuleRef) -> bool;
}

unsafe extern "C" {
    fn sinter_has_debug_info(module: LLVMModuleRef) -> c_int;
    fn sinter_weight(module: LLVMModuleRef) -> u64;
}

/// A module of a [`Session`].
#[derive(Debug)]
pub struct Module<'s> {
    session: &'s Session,
    raw: LLVMModuleRef,
}

impl<'s> Module<'s> {
    pub(crate) fn new(session: &'s Session, raw: LLVMModuleRef) -> Self {
        Module { session, raw }
    }

    pub(crate) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    /// A copy that shares nothing with this module but the session.
    pub fn copy(&self) -> Module<'s> {
        // SAFETY: a live module.
        Module::new(self.session, unsafe { LLVMCloneModule(self.raw) })
    }

    /// The session that owns the module's context.
    pub fn session(&self) -> &'s Session {
        self.session
    }

    /// All functions, declarations included.
    pub fn functions(&self) -> Vec<Value<'s>> {
        // SAFETY: the module is alive; `Value::chain` walks the list that LLVM keeps.
        unsafe { Value::chain(LLVMGetFirstFunction(self.raw), |f| LLVMGetNextFunction(f)) }
    }

    /// All global variables, declarations included.
    pub fn globals(&self) -> Vec<Value<'s>> {
        // SAFETY: as above.
        unsafe { Value::chain(LLVMGetFirstGlobal(self.raw), |g| LLVMGetNextGlobal(g)) }
    }

    /// True if the module has debug information with source lines.
    pub fn has_debug_info(&self) -> bool {
        // SAFETY: the module is alive.
        unsafe { sinter_has_debug_info(self.raw) != 0 }
    }

    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<Value<'s>> {
        let name = c_string(name);
        // SAFETY: a live module and a C string.
        Value::wrap(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// The global variable with this name.
    pub fn global(&self, name: &str) -> Option<Value<'s>> {
        let name = c_string(name);
        // SAFETY: a live module and a C string.
        Value::wrap(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// Declares a function of the same type as `like`, which may belong to another module of the
    /// session.
    pub fn declare_like(&self, name: &str, like: Value<'s>) -> Value<'s> {
        let name = c_string(name);
        // SAFETY: `like` is a function of the same context.
        Value::new(unsafe { LLVMAddFunction(self.raw, name.as_ptr(), LLVMGlobalGetValueType(like.raw())) })
    }

    /// Links the definitions in `from` that this module refers to.
    pub fn link_needed(&self, from: Module<'s>) -> Result<(), LlvmError> {
        let from = ManuallyDrop::new(from);
        // SAFETY: two modules of one context; the linker takes `from` over.
        let failed = guarded(|| unsafe { sinter_link_needed(self.raw, from.raw) })?;
        self.session.check()?;
        if failed { Err(LlvmError::Diagnostic { message: "linking failed".to_owned() }) } else { Ok(()) }
    }

    /// Runs a pipeline, with the target's cost model and limit if a machine is given. Besides
    /// LLVM's passes it may name `limit-inlining`, `limit-full-unrolling` and `limit-unrolling`,
    /// which belong before the passes that they limit. LLVM's own `default` pipelines contain the
    /// latter two.
    pub fn run_passes(&self, pipeline: &str, machine: Option<&Machine>) -> Result<(), LlvmError> {
        let pipeline = c_string(pipeline);
        let limit = machine.map_or(u64::MAX, Machine::limit);
        let machine = machine.map_or(ptr::null_mut(), Machine::raw);
        // SAFETY: a live module, a C string, a live or no machine.
        let error = guarded(|| unsafe { sinter_run_passes(self.raw, pipeline.as_ptr(), machine, limit) })?;
        self.session.check()?;
        if error.is_null() { Ok(()) } else { Err(LlvmError::Diagnostic { message: take_message(error) }) }
    }

    /// Number of instructions, each weighted by the machine instructions that it becomes: an
    /// integer division counts as several.
    pub fn weight(&self) -> u64 {
        // SAFETY: a live module.
        unsafe { sinter_weight(self.raw) }
    }

    /// Runs LLVM's verifier.
    pub fn verify(&self) -> Result<(), LlvmError> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: a live module and an out-pointer.
        let broken = guarded(|| unsafe { LLVMVerifyModule(self.raw, action, &mut message) })?;
        let message = take_message(message);
        if broken == 0 { Ok(()) } else { Err(LlvmError::Diagnostic { message }) }
    }

    /// The textual IR.
    pub fn text(&self) -> String {
        // SAFETY: a live module; the result is ours.
        take_message(unsafe { LLVMPrintModuleToString(self.raw) })
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: a live module; the buffer is ours.
        take_buffer(unsafe { LLVMWriteBitcodeToMemoryBuffer(self.raw) })
    }

    /// The module-level inline assembly.
    pub fn inline_assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: a live module and an out-pointer.
        let text = unsafe { LLVMGetModuleInlineAsm(self.raw, &mut length) };
        copy_string(text, length)
    }

    /// Sets triple, data layout and the source name recorded in the object file.
    pub fn set_target(&self, triple: &str, machine: &Machine) {
        let triple = c_string(triple);
        // SAFETY: a live module and a C string.
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) };
        // SAFETY: a live module and the data layout of a live machine.
        unsafe { LLVMSetModuleDataLayout(self.raw, machine.layout()) };
    }

    /// Sets triple and data layout.
    pub fn set_layout(&self, triple: &str, layout: &str) {
        let [triple, layout] = [triple, layout].map(c_string);
        // SAFETY: a live module and a C string.
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) };
        // SAFETY: as above; callers pass a layout that LLVM reads.
        unsafe { LLVMSetDataLayout(self.raw, layout.as_ptr()) };
    }

    /// Replaces the source file name, which object files contain.
    pub fn set_source_name(&self, name: &str) {
        // SAFETY: pointer and length of a string; LLVM copies it.
        unsafe { LLVMSetSourceFileName(self.raw, name.as_ptr().cast(), name.len()) };
    }

    /// Copies the target of another module, so that linking the two does not report a mismatch.
    pub fn copy_target(&self, other: &Module<'_>) {
        // SAFETY: two live modules; LLVM copies the strings.
        unsafe { LLVMSetTarget(self.raw, LLVMGetTarget(other.raw)) };
        // SAFETY: as above.
        unsafe { LLVMSetDataLayout(self.raw, LLVMGetDataLayoutStr(other.raw)) };
    }

    /// Removes all debug information.
    pub fn strip_debug(&self) {
        // SAFETY: a live module.
        unsafe { LLVMStripModuleDebugInfo(self.raw) };
    }

    /// The first operand of a named metadata list, as a value.
    pub fn named_metadata(&self, name: &str) -> Option<Value<'s>> {
        let name = c_string(name);
        // SAFETY: a live module and a C string.
        let count = unsafe { LLVMGetNamedMetadataNumOperands(self.raw, name.as_ptr()) } as usize;
        let mut nodes = vec![ptr::null_mut(); count];
        // SAFETY: the array has room for all operands.
        unsafe { LLVMGetNamedMetadataOperands(self.raw, name.as_ptr(), nodes.as_mut_ptr()) };
        nodes.first().and_then(|node| Value::wrap(*node))
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if guard::poisoned().is_none() {
            // SAFETY: the session is alive, and the module is not used again.
            unsafe { LLVMDisposeModule(self.raw) };
        }
    }
}
