//! Addresses of the functions that code objects call.
//!
//! In: the name of a function of libc or libm. Out: its address in this process. libm comes first, so that a function of
//! the program that has the name of one is not called instead; the rest is looked up as the program itself would, so that
//! what it interposes (a sanitizer's `memcpy`) counts for kernels too. *Invariant:* nothing becomes visible to the
//! program: libm is opened for us alone and stays open.

use std::{
    collections::HashMap,
    ffi::{CString, c_void},
    ptr::NonNull,
    sync::{Mutex, OnceLock, PoisonError},
};

/// The functions that were looked up before.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    libm: OnceLock<Option<Handle>>,
    known: Mutex<HashMap<String, u64>>,
}

/// A handle of the dynamic linker.
#[derive(Debug)]
struct Handle(NonNull<c_void>);

// SAFETY: the dynamic linker's handles may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for Handle {}

impl Symbols {
    /// The address of a function.
    pub(super) fn address(&self, name: &str) -> Option<u64> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = known.get(name) {
            return Some(*address);
        }
        let found = self.find(name)?;
        known.insert(name.to_owned(), found);
        Some(found)
    }

    fn find(&self, name: &str) -> Option<u64> {
        let name = CString::new(name).ok()?;
        let of = |handle: *mut c_void| {
            // SAFETY: an open handle or the default scope, and a name that ends with zero.
            NonNull::new(unsafe { libc::dlsym(handle, name.as_ptr()) })
        };
        let libm = self.libm.get_or_init(open_libm).as_ref();
        let found = libm.and_then(|libm| of(libm.0.as_ptr())).or_else(|| of(libc::RTLD_DEFAULT));
        found.map(|address| address.as_ptr() as u64)
    }
}

fn open_libm() -> Option<Handle> {
    // SAFETY: the name ends with zero; libm's constructors have no requirements.
    let handle = unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        tracing::warn!("libm.so.6 is missing: kernels that call its functions will not load");
    }
    NonNull::new(handle).map(Handle)
}
