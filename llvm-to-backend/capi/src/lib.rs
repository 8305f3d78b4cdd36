//! `libsinter_translate.so`: the translator behind two C functions and an ELF note.
//!
//! In: the bytes of a request and an observer. Out: the bytes of a code object or of an error
//! (`docs/abi.md`, "Translator"). *Invariant:* nothing unwinds into the caller, and the note equals
//! the data symbol.

use sinter_core::{
    CodeObject, Observer, TranslateCause, TranslateError, TranslateRequest, Translator,
    fingerprint::{FINGERPRINT_SIZE, NOTE_OWNER, NOTE_TYPE},
};
use sinter_translate::{FINGERPRINT, LinkedTranslator, allocation_failed};
use std::{panic::catch_unwind, slice};

/// A pointer was null.
const NULL_POINTER: i32 = 1;

/// Identity of this build; same bytes as in the ELF note.
#[unsafe(no_mangle)]
pub static sinter_translate_fingerprint: [u8; FINGERPRINT_SIZE] = FINGERPRINT.to_bytes();

/// An ELF note in the layout of the generic ABI: sizes, type, owner, content, each padded to 4
/// bytes.
#[repr(C, align(4))]
pub struct Note {
    owner_size: u32,
    content_size: u32,
    note_type: u32,
    owner: [u8; 8],
    content: [u8; FINGERPRINT_SIZE],
}

/// The fingerprint in a form that can be read without loading the library.
#[used]
#[unsafe(link_section = ".note.sinter.translator")]
pub static NOTE: Note = Note {
    owner_size: NOTE_OWNER.len() as u32 + 1,
    content_size: FINGERPRINT_SIZE as u32,
    note_type: NOTE_TYPE,
    owner: *b"Sinter\0\0",
    content: FINGERPRINT.to_bytes(),
};

unsafe extern "C" {
    /// Sets the function that failed allocations call. It returns true if another attempt may
    /// succeed.
    safe fn sinter_on_failed_allocation(function: extern "C" fn() -> bool);
    /// Gives this thread a region for its allocations, if it is the first.
    safe fn sinter_begin_region();
}

extern "C" fn on_failed_allocation() -> bool {
    allocation_failed()
}

/// Translates one request; see `docs/abi.md`.
///
/// # Safety
/// `request` and `observer` must be readable for their sizes, `answer` and `answer_size` writable.
/// The answer must be given to [`sinter_translate_free`] with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_translate(
    request: *const u8,
    request_size: usize,
    observer: *const u8,
    observer_size: usize,
    answer: *mut *mut u8,
    answer_size: *mut usize,
) -> i32 {
    if request.is_null() || observer.is_null() || answer.is_null() || answer_size.is_null() {
        return NULL_POINTER;
    }
    sinter_on_failed_allocation(on_failed_allocation);
    sinter_begin_region();
    // SAFETY: readable for `request_size` bytes, as the caller promises.
    let request = unsafe { slice::from_raw_parts(request, request_size) };
    // SAFETY: readable for `observer_size` bytes, as the caller promises.
    let observer = unsafe { slice::from_raw_parts(observer, observer_size) };
    let bytes = catch_unwind(|| reply(request, observer)).unwrap_or_default().into_boxed_slice();
    // SAFETY: writable, as the caller promises.
    unsafe { *answer_size = bytes.len() };
    // SAFETY: writable, as the caller promises.
    unsafe { *answer = Box::into_raw(bytes).cast() };
    0
}

/// Frees an answer of [`sinter_translate`]. Null is allowed.
///
/// # Safety
/// `answer` and `answer_size` must come from one call of [`sinter_translate`] and be freed once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_translate_free(answer: *mut u8, answer_size: usize) {
    if !answer.is_null() {
        // SAFETY: made by `Box::into_raw` of a slice of this size in `sinter_translate`.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(answer, answer_size)) });
    }
}

/// The serialised answer. Serialising plain values into memory has no error path in postcard.
fn reply(request: &[u8], observer: &[u8]) -> Vec<u8> {
    postcard::to_stdvec(&translate(request, observer)).unwrap_or_default()
}

fn translate(request: &[u8], observer: &[u8]) -> Result<CodeObject, TranslateError> {
    let request = TranslateRequest::from_bytes(request).map_err(|error| unreadable(&error))?;
    let observer: Observer = postcard::from_bytes(observer).map_err(|error| unreadable(&error))?;
    LinkedTranslator.translate(&request, &observer)
}

fn unreadable(error: &dyn std::error::Error) -> TranslateError {
    let message =
        format!("it cannot read what the runtime sent ({error}); install runtime and translator of one version");
    TranslateError {
        stage: "request".to_owned(),
        kernel: "?".to_owned(),
        target: "?".to_owned(),
        replay: None,
        cause: TranslateCause::Unavailable { message },
    }
}
