//! An LLVM context and its diagnostics.
//!
//! Without a diagnostic handler an error in code generation ends the process; with one, LLVM
//! returns success after an error. *Invariant:* every context has a handler, and [`Session::check`]
//! after each operation turns a diagnostic of severity error into a failure, even if LLVM returned
//! success. After a fatal error the context is leaked. Of all other diagnostics only those about
//! large stack frames are used.

use crate::{
    error::LlvmError,
    guard::{self, guarded},
    machine,
    module::Module,
    text::{c_string, take_message},
};
use llvm_sys::{LLVMDiagnosticSeverity, core::*, prelude::*};
use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    ptr,
};

unsafe extern "C-unwind" {
    fn LLVMContextCreate() -> LLVMContextRef;
    fn LLVMParseIRInContext(
        context: LLVMContextRef,
        buffer: LLVMMemoryBufferRef,
        module: *mut LLVMModuleRef,
        message: *mut *mut std::ffi::c_char,
    ) -> LLVMBool;
    fn LLVMParseBitcodeInContext2(
        context: LLVMContextRef,
        buffer: LLVMMemoryBufferRef,
        module: *mut LLVMModuleRef,
    ) -> LLVMBool;
    fn LLVMGetBitcodeModuleInContext2(
        context: LLVMContextRef,
        buffer: LLVMMemoryBufferRef,
        module: *mut LLVMModuleRef,
    ) -> LLVMBool;
}

/// An LLVM context. Values made in it borrow it.
#[derive(Debug)]
pub struct Session {
    context: LLVMContextRef,
    /// Owned; a raw pointer because LLVM's handler accesses it while `self` is borrowed.
    reports: *mut Reports,
}

/// LLVM's reports about a translation.
#[derive(Debug, Default)]
struct Reports {
    errors: RefCell<Vec<String>>,
    /// Bytes of all stack frames that are larger than their functions say.
    frames: Cell<u64>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, reports: *mut c_void) {
    // SAFETY: LLVM passes a valid diagnostic.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    let [is_error, is_warning] =
        [LLVMDiagnosticSeverity::LLVMDSError, LLVMDiagnosticSeverity::LLVMDSWarning].map(|kind| severity == kind);
    if !is_error && !is_warning {
        return;
    }
    // SAFETY: as above; the returned string is ours.
    let message = take_message(unsafe { LLVMGetDiagInfoDescription(info) });
    // SAFETY: `reports` is the value that the session registered, which outlives its context.
    let reports = unsafe { &*reports.cast::<Reports>() };
    if is_error {
        reports.errors.borrow_mut().push(message);
    } else if let Some(bytes) = frame(&message) {
        reports.frames.set(reports.frames.get().saturating_add(bytes));
    }
}

/// Bytes of the frame that a warning is about (`DiagnosticInfoResourceLimit::print`, behind a
/// location).
fn frame(warning: &str) -> Option<u64> {
    let (_, size) = warning.split_once("stack frame size (")?;
    size.split(')').next()?.parse().ok()
}

impl Session {
    /// Creates a context. The first call initialises LLVM; fails once the process is poisoned.
    pub fn new() -> Result<Self, LlvmError> {
        machine::initialize();
        let reports: *mut Reports = Box::into_raw(Box::default());
        // SAFETY: no arguments.
        let context = guarded(|| unsafe { LLVMContextCreate() })?;
        // SAFETY: the handler casts its argument back to the type that is passed here.
        unsafe { LLVMContextSetDiagnosticHandler(context, Some(collect), reports.cast()) };
        Ok(Session { context, reports })
    }

    pub(crate) fn context(&self) -> LLVMContextRef {
        self.context
    }

    /// Fails if LLVM reported an error since the last call.
    pub(crate) fn check(&self) -> Result<(), LlvmError> {
        let errors = self.reports().errors.take();
        if errors.is_empty() { Ok(()) } else { Err(LlvmError::Diagnostic { message: errors.join("\n") }) }
    }

    fn reports(&self) -> &Reports {
        // SAFETY: `reports` is owned by `self` and freed only when `self` is dropped.
        unsafe { &*self.reports }
    }

    /// Bytes of all large stack frames of code that was generated since the last call; see
    /// [`Value::report_frame`](crate::ir::Value::report_frame).
    pub fn take_large_frames(&self) -> u64 {
        self.reports().frames.take()
    }

    /// An empty module.
    pub fn module(&self, name: &str) -> Module<'_> {
        let name = c_string(name);
        // SAFETY: the context is alive.
        Module::new(self, unsafe { LLVMModuleCreateWithNameInContext(name.as_ptr(), self.context) })
    }

    /// Reads bitcode lazily: a function body is read when a link needs it.
    pub fn lazy_bitcode(&self, bytes: &[u8]) -> Result<Module<'_>, LlvmError> {
        let buffer = copy_to_buffer(bytes)?;
        let mut module = ptr::null_mut();
        // SAFETY: on success the module owns the buffer.
        let failed = guarded(|| unsafe { LLVMGetBitcodeModuleInContext2(self.context, buffer, &mut module) })?;
        if failed != 0 {
            // SAFETY: on failure the buffer is still ours.
            unsafe { LLVMDisposeMemoryBuffer(buffer) };
        }
        self.read(module)
    }

    /// Reads bitcode as a whole. Detects damage that a lazy read overlooks and then crashes on.
    pub fn whole_bitcode(&self, bytes: &[u8]) -> Result<Module<'_>, LlvmError> {
        let buffer = copy_to_buffer(bytes)?;
        let mut module = ptr::null_mut();
        // SAFETY: live arguments; the result, null after a failure, is in `module`.
        guarded(|| unsafe { LLVMParseBitcodeInContext2(self.context, buffer, &mut module) })?;
        // SAFETY: the buffer is ours, and nothing refers to it.
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        self.read(module)
    }

    /// The module that was read, or the reported errors.
    fn read(&self, module: LLVMModuleRef) -> Result<Module<'_>, LlvmError> {
        if module.is_null() {
            self.check()?;
            return Err(LlvmError::Diagnostic { message: "unreadable bitcode".to_owned() });
        }
        let module = Module::new(self, module);
        self.check().map(|()| module)
    }

    /// Reads textual IR or bitcode as a whole.
    pub fn parse(&self, bytes: &[u8]) -> Result<Module<'_>, LlvmError> {
        let (buffer, mut module, mut message) = (copy_to_buffer(bytes)?, ptr::null_mut(), ptr::null_mut());
        // SAFETY: consumes the buffer; fills exactly one of `module` and `message`.
        let failed = guarded(|| unsafe { LLVMParseIRInContext(self.context, buffer, &mut module, &mut message) })?;
        if failed != 0 {
            return Err(LlvmError::Diagnostic { message: take_message(message) });
        }
        let module = Module::new(self, module);
        self.check().map(|()| module)
    }
}

/// A buffer that ends in a zero byte, as LLVM's IR parser requires.
fn copy_to_buffer(bytes: &[u8]) -> Result<LLVMMemoryBufferRef, LlvmError> {
    // SAFETY: the range is valid and copied; the name is a C string.
    let buffer =
        unsafe { LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c"image".as_ptr()) };
    if buffer.is_null() { Err(LlvmError::OutOfMemory) } else { Ok(buffer) }
}

impl Drop for Session {
    fn drop(&mut self) {
        if guard::poisoned().is_none() {
            // SAFETY: modules and values borrow the session, so none is left.
            unsafe { LLVMContextDispose(self.context) };
            // SAFETY: made by `Box::into_raw` in `new`, and the context that used it is gone.
            drop(unsafe { Box::from_raw(self.reports) });
        }
    }
}
