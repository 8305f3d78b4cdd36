//! The only way in and out of the C interface.
//!
//! In: the body of a function. Out: its status; the message of a failure is kept per thread.
//! *Invariant:* no panic unwinds into the caller. Before anything else a thread registers the
//! destructors of its thread-local values, because the C library ends a process that has no memory
//! to register one later (`__cxa_thread_atexit_impl`).
#![forbid(unsafe_code)]

use super::status::{self, Status};
use crate::{error::RuntimeError, launch, system};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
    static THREAD: Cell<Thread> = const { Cell::new(Thread::Unknown) };
}

/// Upper bound in bytes on the address space that a call takes, except for allocations whose
/// failure is handled where they are made.
const ROOM: usize = 256 << 10;
const NO_ROOM: &CStr = c"memory ran out: free some, or raise the limit of the process (ulimit -v), and try again";

/// Registration of the destructors of this thread's thread-local values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thread {
    /// No call on this thread yet.
    Unknown,
    /// The last call had no memory to register them.
    Short,
    /// All destructors are registered.
    Ready,
}

/// Registers the destructors of this thread's values while there is memory for that; returns false
/// if there is none. On a thread that is ending, the values are gone already; their users handle
/// that.
#[cold]
fn make_ready() -> bool {
    if !system::has_address_space(ROOM) {
        THREAD.set(Thread::Short);
        return false;
    }
    let _ = MESSAGE.try_with(|_| ());
    launch::note_destructors();
    THREAD.set(Thread::Ready);
    true
}

/// The last message of a thread whose values are gone: destructors of static objects run after
/// them.
static LATE: Mutex<&CStr> = Mutex::new(c"");

fn late() -> &'static CStr {
    *LATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores a message for `sinter_last_error`.
fn remember(message: String) {
    let text = CString::new(message.replace('\0', "?")).unwrap_or_default();
    let mut text = Some(text);
    let kept = MESSAGE.try_with(|message| {
        if let (Ok(mut message), Some(text)) = (message.try_borrow_mut(), text.take()) {
            *message = text;
        }
    });
    if let (Err(_), Some(text)) = (kept, text) {
        // The process ends, so that few are lost.
        *LATE.lock().unwrap_or_else(PoisonError::into_inner) = Box::leak(text.into_boxed_c_str());
    }
}

/// The message of the last failure on this thread. The pointer stays valid until the next failure.
pub(super) fn last_message() -> *const c_char {
    let empty: &'static CStr = c"";
    match THREAD.get() {
        Thread::Unknown => return empty.as_ptr(),
        Thread::Short => return NO_ROOM.as_ptr(),
        Thread::Ready => {}
    }
    MESSAGE
        .try_with(|message| message.try_borrow().map_or(empty.as_ptr(), |m| m.as_ptr()))
        .unwrap_or_else(|_| late().as_ptr())
}

/// The same as a Rust string.
pub(super) fn last_text() -> String {
    let kept = MESSAGE.try_with(|message| message.borrow().to_string_lossy().into_owned());
    kept.unwrap_or_else(|_| late().to_string_lossy().into_owned())
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cold]
fn fail(error: &RuntimeError) -> i32 {
    remember(error.chain());
    status::of(error) as i32
}

/// Runs the body of a function of the C interface; returns its status and stores its message.
#[inline]
pub(super) fn guard(body: impl FnOnce() -> Result<(), RuntimeError>) -> i32 {
    if THREAD.get() != Thread::Ready && !make_ready() {
        return Status::OutOfMemory as i32;
    }
    // Boxed, because the result of `catch_unwind` is copied on success too.
    match catch_unwind(AssertUnwindSafe(|| body().map_err(Box::new))) {
        Ok(Ok(())) => Status::Success as i32,
        Ok(Err(error)) => fail(&error),
        Err(panic) => fail(&RuntimeError::Internal { message: panic_text(panic.as_ref()).to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_its_message() {
        assert_eq!(guard(|| panic!("deliberate")), Status::Internal as i32);
        assert!(MESSAGE.with_borrow(|message| message.to_string_lossy().contains("deliberate")));
        assert_eq!(guard(|| Ok(())), 0);
    }
}
