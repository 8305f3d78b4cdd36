//! The process: its other allocator, and the time in which blocks are handed out.
//!
//! In: the functions that the process calls. Out: whether a block may be handed out. *Invariant:*
//! none is before `main`, after `exit`, in a child process, while the runtime starts, in a process
//! whose `free`, `realloc` or `operator delete` do not lead here, and for `operator new` of the
//! program itself.

use crate::{
    arena, fork,
    state::{ACTIVE, EARLY, IS_CHILD, PLAIN, READY, STARTING, STATE, advance},
    symbols::symbol,
};
use std::{
    ffi::{CStr, c_int, c_void},
    mem, ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering},
};

/// True if `operator new` and `operator delete` are those of the C++ library.
static OWNS_NEW: AtomicBool = AtomicBool::new(false);
/// Counts calls while the way to `free` is tried.
static TRIED: AtomicU8 = AtomicU8::new(0);

/// Libraries whose `operator new` calls `malloc`, and whose `operator delete` calls `free`.
const LIBRARIES: [&str; 2] = ["libstdc++.so", "libc++abi.so"];
/// `operator new` and `operator delete`, in all forms.
const OPERATORS: [&CStr; 20] = [
    c"_Znwm",
    c"_Znam",
    c"_ZnwmRKSt9nothrow_t",
    c"_ZnamRKSt9nothrow_t",
    c"_ZnwmSt11align_val_t",
    c"_ZnamSt11align_val_t",
    c"_ZnwmSt11align_val_tRKSt9nothrow_t",
    c"_ZnamSt11align_val_tRKSt9nothrow_t",
    c"_ZdlPv",
    c"_ZdaPv",
    c"_ZdlPvm",
    c"_ZdaPvm",
    c"_ZdlPvRKSt9nothrow_t",
    c"_ZdaPvRKSt9nothrow_t",
    c"_ZdlPvSt11align_val_t",
    c"_ZdaPvSt11align_val_t",
    c"_ZdlPvmSt11align_val_t",
    c"_ZdaPvmSt11align_val_t",
    c"_ZdlPvSt11align_val_tRKSt9nothrow_t",
    c"_ZdaPvSt11align_val_tRKSt9nothrow_t",
];

/// True if a block may be handed out. `by_new`: for `operator new`.
#[inline]
pub(crate) fn hands_out(by_new: bool) -> bool {
    match STATE.load(Ordering::Acquire) {
        ACTIVE => !by_new || OWNS_NEW.load(Ordering::Relaxed),
        READY => start() && (!by_new || OWNS_NEW.load(Ordering::Relaxed)),
        _ => false,
    }
}

extern "C" fn at_exit() {
    STATE.store(PLAIN, Ordering::Release);
}

extern "C" fn in_child() {
    STATE.store(PLAIN, Ordering::Release);
    IS_CHILD.store(true, Ordering::Relaxed);
    fork::in_child();
}

/// Says that `main` has begun.
pub(crate) fn begin() {
    if !advance(EARLY, READY) {
        return;
    }
    // SAFETY: functions without arguments that live as long as the process: the library is never
    // unloaded.
    let registered = unsafe {
        (libc::atexit(at_exit), libc::pthread_atfork(Some(fork::before), Some(fork::in_parent), Some(in_child)))
    };
    if registered != (0, 0) {
        STATE.store(PLAIN, Ordering::Release);
    }
}

/// Asks the runtime for memory. False until there is some.
#[cold]
fn start() -> bool {
    if !advance(READY, STARTING) {
        return false;
    }
    // The search for a function that is not there frees a text, so it must not be the first call of
    // `free`.
    for next in [&FREE, &REALLOC, &USABLE] {
        next.get();
    }
    let owns = leads_here() && arena::begin();
    OWNS_NEW.store(owns && OPERATORS.iter().all(|name| is_of_library(name)), Ordering::Relaxed);
    // The process may have begun to exit meanwhile.
    let next = if owns { ACTIVE } else { PLAIN };
    advance(STARTING, next) && owns
}

/// True if calls of `free`, `realloc` and `operator delete` come to this library. A tool that
/// replaces them at run time, such as a sanitizer or valgrind, is found by a call without effect.
fn leads_here() -> bool {
    let try_call = |name, call: fn(*mut c_void)| {
        let before = TRIED.load(Ordering::Relaxed);
        symbol(name).is_some_and(|function| {
            call(function);
            TRIED.load(Ordering::Relaxed) != before
        })
    };
    let free = |function| {
        // SAFETY: every `free` and `operator delete` has this type.
        let function = unsafe { mem::transmute::<*mut c_void, Free>(function) };
        // SAFETY: the null pointer may always be freed.
        unsafe { function(ptr::null_mut()) };
    };
    let realloc = |function| {
        // SAFETY: every `realloc` has this type.
        let function = unsafe { mem::transmute::<*mut c_void, Realloc>(function) };
        // SAFETY: the null pointer asks for a new block.
        let block = unsafe { function(ptr::null_mut(), 1) };
        // SAFETY: a block of that allocator, which has no other owner.
        unsafe { libc::free(block) };
    };
    let deletes = !is_of_library(c"_ZdlPv") || symbol(c"_ZdlPv").is_none() || try_call(c"_ZdlPv", free);
    try_call(c"free", free) && try_call(c"realloc", realloc) && deletes
}

/// True if a function is one of the C++ library, or is not there.
fn is_of_library(name: &CStr) -> bool {
    let Some(function) = symbol(name) else { return true };
    // SAFETY: all parts may be zero.
    let mut info: libc::Dl_info = unsafe { mem::zeroed() };
    // SAFETY: any address may be asked for; `info` is writable.
    if unsafe { libc::dladdr(function, &raw mut info) } == 0 || info.dli_fname.is_null() {
        return false;
    }
    // SAFETY: a C string of the dynamic linker.
    let file = unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy();
    LIBRARIES.iter().any(|library| file.contains(library))
}

type Free = unsafe extern "C" fn(*mut c_void);
type Realloc = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
type Usable = unsafe extern "C" fn(*mut c_void) -> usize;

unsafe extern "C" {
    fn __libc_free(block: *mut c_void);
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
}

/// A function of the allocator behind this one.
struct Next {
    name: &'static CStr,
    function: AtomicPtr<c_void>,
}

static FREE: Next = Next { name: c"free", function: AtomicPtr::new(ptr::null_mut()) };
static REALLOC: Next = Next { name: c"realloc", function: AtomicPtr::new(ptr::null_mut()) };
static USABLE: Next = Next { name: c"malloc_usable_size", function: AtomicPtr::new(ptr::null_mut()) };

thread_local! {
    /// True while the thread looks for a function: the search itself may free.
    static SEARCHES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Next {
    /// Null while the thread looks for it, and if there is none.
    #[inline]
    fn get(&self) -> *mut c_void {
        let known = self.function.load(Ordering::Relaxed);
        if known.is_null() { self.search() } else { known }
    }

    #[cold]
    fn search(&self) -> *mut c_void {
        if SEARCHES.replace(true) {
            return ptr::null_mut();
        }
        // SAFETY: a C string; the handle stands for the libraries behind this one.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.function.store(found, Ordering::Relaxed);
        SEARCHES.set(false);
        found
    }
}

/// `free` of the allocator behind this one.
///
/// # Safety
/// As for `free`; the block is not ours.
#[inline]
pub(crate) unsafe fn free(block: *mut c_void) {
    if block.is_null() {
        TRIED.fetch_add(u8::from(STATE.load(Ordering::Relaxed) == STARTING), Ordering::Relaxed);
        return;
    }
    let next = FREE.get();
    if next.is_null() {
        // SAFETY: by the caller's promise; nothing else was found, so the C library has the block.
        return unsafe { __libc_free(block) };
    }
    // SAFETY: every `free` has this type.
    let next = unsafe { mem::transmute::<*mut c_void, Free>(next) };
    // SAFETY: by the caller's promise.
    unsafe { next(block) };
}

/// `realloc` of the allocator behind this one.
///
/// # Safety
/// As for `realloc`; the block is not ours.
pub(crate) unsafe fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    TRIED.fetch_add(u8::from(STATE.load(Ordering::Relaxed) == STARTING), Ordering::Relaxed);
    let next = REALLOC.get();
    if next.is_null() {
        // SAFETY: by the caller's promise; nothing else was found, so the C library has the block.
        return unsafe { __libc_realloc(block, size) };
    }
    // SAFETY: every `realloc` has this type.
    let next = unsafe { mem::transmute::<*mut c_void, Realloc>(next) };
    // SAFETY: by the caller's promise.
    unsafe { next(block, size) }
}

/// `malloc_usable_size` of the allocator behind this one; 0 if it has none.
///
/// # Safety
/// As for `malloc_usable_size`; the block is not ours.
pub(crate) unsafe fn usable_size(block: *mut c_void) -> usize {
    let next = USABLE.get();
    if next.is_null() {
        return 0;
    }
    // SAFETY: every `malloc_usable_size` has this type.
    let next = unsafe { mem::transmute::<*mut c_void, Usable>(next) };
    // SAFETY: by the caller's promise.
    unsafe { next(block) }
}

/// Sets the number of the last error.
pub(crate) fn set_errno(number: c_int) {
    // SAFETY: the address of the thread's own variable.
    unsafe { *libc::__errno_location() = number };
}
