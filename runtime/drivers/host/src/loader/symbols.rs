//! Looks up the functions that code objects call.
//!
//! In: the name of a function of libc or libm. Out: its address in this process. Functions of libm
//! come from libm itself, so that a function of the program with the same name is not called
//! instead. Others are looked up as the program would, so that interposed functions (a sanitizer's
//! `memcpy`) apply to kernels too. *Invariant:* nothing becomes visible to the program: libm is
//! opened privately and stays open. No lock is held during a call of the dynamic linker, because it
//! runs constructors under its own lock, and those may launch kernels.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_void},
    mem::MaybeUninit,
    ptr::{self, NonNull},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicPtr, Ordering},
    },
};

const LIBM: &CStr = c"libm.so.6";

/// Cache of lookups.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// The dynamic linker's handle of libm; null until it is needed.
    libm: AtomicPtr<c_void>,
    known: Mutex<HashMap<String, u64>>,
}

impl Symbols {
    /// The address of a function; `None` if the process does not have it.
    pub(super) fn address(&self, name: &str) -> Option<u64> {
        let known = self.known().get(name).copied();
        known.or_else(|| {
            let found = self.find(&CString::new(name).ok()?)?.as_ptr() as u64;
            self.known().insert(name.to_owned(), found);
            Some(found)
        })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // A lookup in a handle also searches the library's dependencies: it would find libc before
        // the program.
        let of_libm = look_up(self.libm(), name).filter(|address| is_of_libm(*address));
        of_libm.or_else(|| look_up(libc::RTLD_DEFAULT, name))
    }

    /// Handle of libm. Two threads may open it at the same time; both get the same handle.
    fn libm(&self) -> *mut c_void {
        let known = self.libm.load(Ordering::Acquire);
        if !known.is_null() {
            return known;
        }
        // SAFETY: the name is null-terminated; libm's constructors have no requirements.
        let opened = unsafe { libc::dlopen(LIBM.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if opened.is_null() {
            tracing::warn!("libm.so.6 is missing: kernels that call its functions will not load");
        }
        self.libm.store(opened, Ordering::Release);
        opened
    }
}

/// `handle` is the dynamic linker's; null is its default scope.
fn look_up(handle: *mut c_void, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the handle is open or the default scope, and the name is null-terminated.
    NonNull::new(unsafe { libc::dlsym(handle, name.as_ptr()) })
}

/// True if an address is in libm.
fn is_of_libm(address: NonNull<c_void>) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable; any address is accepted.
    if unsafe { libc::dladdr(address.as_ptr(), info.as_mut_ptr()) } == 0 {
        return false;
    }
    // SAFETY: the call initialised it, or it is zeros, which are valid pointers and numbers.
    let path = unsafe { info.assume_init() }.dli_fname;
    if ptr::eq(path, ptr::null()) {
        return false;
    }
    // SAFETY: the path is the dynamic linker's, null-terminated, and lives as long as the library.
    unsafe { CStr::from_ptr(path) }.to_bytes().ends_with(LIBM.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_libm_come_from_libm() {
        let symbols = Symbols::default();
        for (name, of_libm) in [("cos", true), ("memset", false), ("printf", false), ("write", false)] {
            let address = symbols.find(&CString::new(name).expect("a name")).expect(name);
            assert_eq!(is_of_libm(address), of_libm, "{name}");
        }
        assert_eq!(symbols.address("no_such_function_anywhere"), None);
    }
}
