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

/// A host task of C functions.
///
/// # Safety
/// `function` and `release` are null or may be called once with `data` on any thread.
pub(super) unsafe fn task(
    function: Option<Function>,
    release: Option<Function>,
    data: *mut c_void,
) -> Result<HostTask, RuntimeError> {
    let task = Task { function, release, data };
    if function.is_none() {
        return Err(RuntimeError::invalid("function", "is null"));
    }
    Ok(Box::new(move || task.run()))
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
    guard(|| {
        // SAFETY: the same contract, upheld by the caller.
        let task = unsafe { task(function, release, data) }?;
        // SAFETY: readable unless null, by the caller's promise.
        let submitted = unsafe { open("queue", queue) }?.host_task(task)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("ticket", ticket, submitted.0) }
    })
}
