//! Host tasks: functions of the program among the commands of a queue.
//!
//! *Invariant:* `release` is called exactly once, also if the host task is refused; `function` is
//! called before it, unless the host task is refused.
#![expect(unsafe_code, reason = "exports a C symbol and calls functions of C callers")]

use super::{
    guard::guard,
    pointer,
    queue::{CQueue, open},
};
use crate::{error::RuntimeError, queue::HostTask};
use std::ffi::c_void;

/// A function of the program with its argument.
pub(super) type Function = unsafe extern "C" fn(*mut c_void);

struct Task {
    function: Option<Function>,
    release: Option<Function>,
    data: *mut c_void,
}

/// Something of the program that is released on drop.
pub(super) struct Owned(Task);

impl Owned {
    /// # Safety
    /// `release` is null or may be called once with `data` on any thread.
    pub(super) unsafe fn new(release: Option<Function>, data: *mut c_void) -> Self {
        Owned(Task { function: None, release, data })
    }

    /// A host task that owns it.
    ///
    /// # Safety
    /// `function` is null or may be called once with the data, on any thread.
    pub(super) unsafe fn task(mut self, function: Option<Function>) -> Result<HostTask, RuntimeError> {
        if function.is_none() {
            return Err(RuntimeError::invalid("function", "is null"));
        }
        self.0.function = function;
        Ok(Box::new(move || self.run()))
    }

    fn run(&self) {
        self.0.run();
    }
}

// SAFETY: the header says that both functions are called on another thread.
unsafe impl Send for Task {}

impl Task {
    fn run(&self) {
        if let Some(function) = self.function {
            // SAFETY: the caller of `sinter_queue_host_task` promised that it may be called once.
            unsafe { function(self.data) }
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as above; the function has returned, and nothing calls it again.
            unsafe { release(self.data) }
        }
    }
}

/// `sinter_queue_host_task`: see `sinter/sinter.h`.
///
/// # Safety
/// `queue` is null or a queue, `function` and `release` are null or may be called once with `data`
/// on any thread, `ticket` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_queue_host_task(
    queue: *mut CQueue,
    function: Option<Function>,
    release: Option<Function>,
    data: *mut c_void,
    ticket: *mut u64,
) -> i32 {
    // Outside, so that it is released whatever happens.
    // SAFETY: the same contract, upheld by the caller.
    let owned = unsafe { Owned::new(release, data) };
    guard(move || {
        // SAFETY: as above.
        let task = unsafe { owned.task(function) }?;
        // SAFETY: readable unless null, by the caller's promise.
        let submitted = unsafe { open("queue", queue) }?.host_task(task)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
