//! Launches of the parallel algorithms of ISO C++: `sinter/stdpar.h`.
//!
//! *Invariant:* a kernel is complete when its call returns.
#![expect(unsafe_code, reason = "exports C symbols and reads through the pointers of C callers")]

use super::{commands::launch_on, global, guard::guard};
use crate::{
    abi::{Kernel, Launch},
    stdpar,
};
use std::{
    ffi::{CStr, c_char, c_void},
    io::Write,
};

/// `sinter_stdpar_run`: see `sinter/stdpar.h`.
///
/// # Safety
/// As for `sinter_queue_launch`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_run(
    kernel: *const Kernel,
    block: *const c_void,
    block_size: usize,
    launch: *const Launch,
) -> i32 {
    guard(|| {
        stdpar::with_queue(global::runtime(), |queue| {
            // SAFETY: the caller promises what a launch needs.
            let ticket = unsafe { launch_on(queue, kernel, block, block_size, launch) }?;
            queue.wait(ticket)
        })
    })
}

/// The text of the headers or of `sinter_last_error`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
unsafe fn text<'a>(reason: *const c_char) -> std::borrow::Cow<'a, str> {
    if reason.is_null() {
        return "no reason is known".into();
    }
    // SAFETY: not null, and NUL-terminated by the caller's promise.
    unsafe { CStr::from_ptr(reason) }.to_string_lossy()
}

/// `sinter_stdpar_report`: see `sinter/stdpar.h`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_report(reason: *const c_char) {
    let _ = guard(|| {
        // The settings say whether the log has it.
        global::runtime();
        // SAFETY: by the caller's promise.
        stdpar::report(&unsafe { text(reason) });
        Ok(())
    });
}

/// `sinter_stdpar_fail`: see `sinter/stdpar.h`.
///
/// # Safety
/// `reason` is null or NUL-terminated.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_stdpar_fail(reason: *const c_char) {
    let _ = guard(|| {
        // SAFETY: by the caller's promise.
        let reason = unsafe { text(reason) };
        // If standard error is closed, there is no other place for the message.
        let _ = writeln!(std::io::stderr(), "sinter: a parallel algorithm failed: {reason}");
        Ok(())
    });
}
