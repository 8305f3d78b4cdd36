//! Calls the translator in `libsinter_translate.so` through its C interface.
//!
//! In: requests. Out: code objects. *Invariant:* the library is never closed (LLVM registers state
//! with the C library that outlives any handle), and a result is copied before its memory is freed.
#![expect(unsafe_code, reason = "calls a shared library through its C interface")]

use crate::{error::RuntimeError, system};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sinter_core::{
    CodeObject, Fingerprint, Observer, TranslateCause, TranslateError, TranslateRequest, Translator,
    fingerprint::FINGERPRINT_SIZE,
};
use std::{error::Error, mem::ManuallyDrop, path::Path};

type TranslateFn = unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut *mut u8, *mut usize) -> i32;
type FreeFn = unsafe extern "C" fn(*mut u8, usize);

/// Bytes that opening the library takes in addition to its size: static objects of LLVM.
const OPENING: usize = 16 << 20;

/// The opened translator library and its entry points.
pub(super) struct LibraryTranslator {
    translate: TranslateFn,
    free: FreeFn,
    fingerprint: Fingerprint,
    _library: ManuallyDrop<Library>,
}

fn unusable(path: &Path, reason: &str) -> RuntimeError {
    RuntimeError::Translator { reason: format!("the translator {} cannot be used: {reason}", path.display()) }
}

/// Message of an error with its cause; `dlopen failed` alone does not say why.
fn with_cause(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

/// Address of a symbol, cast to type `T`.
fn symbol<T: Copy>(library: &Library, path: &Path, name: &str) -> Result<T, RuntimeError> {
    // SAFETY: the callers name symbols of `docs/abi.md` with the types given there; the note that
    // was checked before says that the library follows that document.
    let found = unsafe { library.get::<T>(name) };
    found.map(|symbol| *symbol).map_err(|error| unusable(path, &with_cause(&error)))
}

impl LibraryTranslator {
    /// Opens the library at `path`. Fails if its fingerprint differs from `expected`, the one in
    /// its ELF note.
    pub(super) fn open(path: &Path, expected: Fingerprint) -> Result<Self, RuntimeError> {
        let size = path.metadata().map_or(0, |file| file.len() as usize);
        if !system::has_address_space(size + OPENING) {
            let size = (size + OPENING) >> 20;
            let reason = format!(
                "memory ran out: it takes {size} MiB to open; free some, or raise the limit of the process \
                 (ulimit -v), and launch the kernel again"
            );
            return Err(unusable(path, &reason));
        }
        // SAFETY: the file has Sinter's note, so its initialisers are those of the translator and
        // of LLVM.
        let opened = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let library = ManuallyDrop::new(opened.map_err(|error| unusable(path, &with_cause(&error)))?);
        let bytes: *const [u8; FINGERPRINT_SIZE] = symbol(&library, path, "sinter_translate_fingerprint")?;
        // SAFETY: the data symbol holds exactly these bytes and lives as long as the library, which
        // is never closed.
        let found = Fingerprint::from_bytes(unsafe { &*bytes });
        if found != expected {
            let reason =
                format!("it was replaced while the program ran (was {expected}, is {found}); restart the program");
            return Err(unusable(path, &reason));
        }
        Ok(LibraryTranslator {
            translate: symbol(&library, path, "sinter_translate")?,
            free: symbol(&library, path, "sinter_translate_free")?,
            fingerprint: found,
            _library: library,
        })
    }

    /// One call through the C interface. `None` if it returned an error or no result.
    fn call(&self, request: &[u8], observer: &[u8]) -> Option<Vec<u8>> {
        let (mut answer, mut size) = (std::ptr::null_mut(), 0);
        let (translate, free) = (self.translate, self.free);
        // SAFETY: both inputs are readable for the sizes given, both outputs are writable.
        let status = unsafe {
            translate(
                request.as_ptr(),
                request.len(),
                observer.as_ptr(),
                observer.len(),
                &raw mut answer,
                &raw mut size,
            )
        };
        if status != 0 || answer.is_null() {
            return None;
        }
        // SAFETY: a status of 0 promises `size` readable bytes at `answer` until they are freed
        // below.
        let copy = unsafe { std::slice::from_raw_parts(answer, size) }.to_vec();
        // SAFETY: the answer came from this library with this size and is freed once.
        unsafe { free(answer, size) };
        Some(copy)
    }
}

impl Translator for LibraryTranslator {
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError> {
        let unavailable = |message: String| {
            TranslateError::new(request, "translator interface", TranslateCause::Unavailable { message })
        };
        let observer = postcard::to_stdvec(observer).map_err(|error| unavailable(error.to_string()))?;
        let answer = self.call(&request.to_bytes(), &observer);
        let answer = answer.ok_or_else(|| unavailable("it gave no answer".to_owned()))?;
        postcard::from_bytes::<Result<CodeObject, TranslateError>>(&answer)
            .map_err(|error| unavailable(format!("its answer cannot be read: {error}")))?
    }
}
