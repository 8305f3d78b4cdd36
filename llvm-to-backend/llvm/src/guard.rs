//! Recovers from LLVM's fatal errors.
//!
//! `report_fatal_error` calls a handler and then ends the process. Our handler unwinds instead,
//! through LLVM's C++ frames to [`guarded`]. LLVM's destructors do not run on the way, so all
//! objects of the call must be leaked and the library is not used again: the process is *poisoned*.
//! *Invariant:* the handler acts only on a thread that is inside [`guarded`]; any other user of
//! LLVM in the process keeps the default behaviour, message included.

use crate::{error::LlvmError, memory};
use std::{
    any::Any,
    cell::Cell,
    ffi::{CStr, c_char},
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Once, OnceLock},
};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

static POISON: OnceLock<String> = OnceLock::new();

unsafe extern "C-unwind" {
    fn LLVMInstallFatalErrorHandler(handler: extern "C-unwind" fn(*const c_char));
}

extern "C-unwind" fn unwind_to_guard(message: *const c_char) {
    // SAFETY: LLVM passes a C string that lives until the handler returns (`bindingsErrorHandler`).
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    if INSIDE.get() {
        resume_unwind(Box::new(message));
    }
    // An error of another user of LLVM. With a handler LLVM prints nothing itself; it ends the
    // process when the handler returns.
    let _ = writeln!(io::stderr(), "LLVM ERROR: {message}");
}

/// Makes fatal errors of guarded calls recoverable. Called once per process.
pub(crate) fn install_fatal_handler() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: the handler has the type that LLVM calls, and unwinds only to a frame of
        // `guarded`.
        unsafe { LLVMInstallFatalErrorHandler(unwind_to_guard) }
    });
}

/// Panic payload of a failed allocation.
pub(crate) struct OutOfMemory;

/// The reason recorded when an allocation inside LLVM poisons the process.
const NO_MEMORY: &str = "memory ran out inside LLVM";

/// True inside a guarded call on this thread.
pub(crate) fn is_inside() -> bool {
    INSIDE.get()
}

/// The reason why this process must not use LLVM any more; `None` if it may.
pub fn poisoned() -> Option<&'static str> {
    POISON.get().map(String::as_str)
}

/// Forbids further use of LLVM in this process.
pub(crate) fn poison(reason: &str) {
    POISON.get_or_init(|| reason.to_owned());
}

/// Runs calls into LLVM that may end in a fatal error. Refuses to start once an allocation has
/// failed on this thread, while the translation can still be cleaned up in order.
pub(crate) fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, LlvmError> {
    if let Some(reason) = poisoned() {
        return Err(LlvmError::Poisoned { reason: reason.to_owned() });
    }
    if memory::ran_out() {
        return Err(LlvmError::OutOfMemory);
    }
    let outer = INSIDE.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    INSIDE.set(outer);
    result.map_err(unwound)
}

/// The error for a panic payload. Poisons the process, because the state of LLVM is unknown.
fn unwound(payload: Box<dyn Any + Send>) -> LlvmError {
    if payload.is::<OutOfMemory>() {
        poison(NO_MEMORY);
        return LlvmError::OutOfMemory;
    }
    let message = payload.downcast::<String>().map_or_else(|_| "unknown".to_owned(), |message| *message);
    poison(&message);
    LlvmError::Fatal { message }
}
