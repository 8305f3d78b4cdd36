//! Turns memory exhaustion into a failed translation instead of a dead process.
//!
//! In: failed allocations. Out: memory for another attempt, or unwinding to `guarded`. A
//! translation holds a [`Reserve`] of address space. The first allocation that fails on its thread
//! releases it and tries again. The next guarded call refuses to start, so that everything is freed
//! as after any error. If that is not enough, C++'s new-handler and LLVM's own handler unwind as
//! for a fatal error. *Invariant:* functions called here by a failed allocation do not allocate.

use crate::{
    error::LlvmError,
    guard::{self, OutOfMemory},
};
use std::{
    cell::Cell,
    io::{self, Write},
    panic::resume_unwind,
    ptr,
};

/// Bytes kept for unwinding when the rest of the reserve is used up: the C library asks the system
/// for 1 MiB at a time.
const LAST: usize = 4 << 20;

/// The state of this thread's reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No translation is running.
    Absent,
    /// The whole reserve is held.
    Whole,
    /// An allocation failed; only [`LAST`] bytes are held.
    Spent,
    /// Nothing is held.
    Gone,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(State::Absent) };
    static HELD: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    static REGISTERED: Registered = const { Registered };
}

/// Its destructor makes the C library register the thread at the first use of the value.
struct Registered;

impl Drop for Registered {
    fn drop(&mut self) {}
}

unsafe extern "C" {
    fn sinter_install_memory_handlers(handler: extern "C-unwind" fn());
}

/// Address space that a translation on this thread releases when an allocation fails.
#[derive(Debug)]
pub struct Reserve(());

impl Reserve {
    /// Reserves `size` bytes until the value is dropped, or fails with [`LlvmError::OutOfMemory`].
    /// A thread holds at most one.
    pub fn take(size: usize) -> Result<Reserve, LlvmError> {
        let (start, room) = map(size + 2 * LAST)?;
        unmap(start, room);
        touch_values();
        HELD.set(map(size + LAST)?);
        STATE.set(State::Whole);
        Ok(Reserve(()))
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        STATE.set(State::Absent);
        give_back(0);
    }
}

/// Maps unused address space. Returns its start and size.
fn map(size: usize) -> Result<(usize, usize), LlvmError> {
    // The mapping is writable, so that systems without overcommit count it.
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new private mapping, which nothing refers to.
    let start = unsafe { libc::mmap(ptr::null_mut(), size, access, kind | libc::MAP_NORESERVE, -1, 0) };
    if start == libc::MAP_FAILED { Err(LlvmError::OutOfMemory) } else { Ok((start.expose_provenance(), size)) }
}

/// Makes the C library allocate this thread's values and register their destructor. It ends a
/// process that has no memory for either, so this is called while memory is known to be available.
fn touch_values() {
    STATE.set(State::Absent);
    let _ = REGISTERED.try_with(|_| ());
}

fn unmap(start: usize, size: usize) {
    // SAFETY: a mapping of `map`, or the upper part of one, which nothing refers to.
    unsafe { libc::munmap(ptr::with_exposed_provenance_mut(start), size) };
}

/// Unmaps all but `kept` bytes of the reserve.
fn give_back(kept: usize) {
    let (start, size) = HELD.get();
    if size > kept {
        HELD.set((start, kept));
        unmap(start + kept, size - kept);
    }
}

/// True once an allocation has failed in the current translation on this thread.
pub fn ran_out() -> bool {
    matches!(STATE.get(), State::Spent | State::Gone)
}

/// Releases reserved memory after a failed allocation. True if another attempt may succeed.
pub fn allocation_failed() -> bool {
    match STATE.get() {
        State::Whole => {
            STATE.set(State::Spent);
            give_back(LAST);
            true
        }
        // Inside a guarded call it unwinds instead, which takes the rest.
        State::Spent if !guard::is_inside() => {
            STATE.set(State::Gone);
            give_back(0);
            true
        }
        _ => false,
    }
}

/// Unwinds out of the guarded call on this thread, since C++ has no other way to report a failed
/// allocation. Ends the process outside such a call.
extern "C-unwind" fn give_up() {
    if guard::is_inside() {
        STATE.set(State::Gone);
        give_back(0);
        resume_unwind(Box::new(OutOfMemory));
    }
    let _ = writeln!(io::stderr(), "LLVM ERROR: out of memory");
    std::process::abort();
}

/// Makes failed allocations in LLVM recoverable if LLVM is linked statically. A shared LLVM may
/// have other users, whose handlers stay.
pub(crate) fn install_handlers() {
    if cfg!(feature = "static-llvm") {
        // SAFETY: the handler unwinds only to a frame of `guarded`, through frames of LLVM and of
        // C++'s library.
        unsafe { sinter_install_memory_handlers(give_up) }
    }
}
