//! Links one object to a code object of an AMD GPU, which is a shared object, with lld in this process.
//!
//! In: an object that [`Machine::emit`](crate::Machine::emit) just made. Out: the bytes of a shared object.
//! *Invariant:* lld opens no file, creates none and starts no thread (`shim/link.cpp`), so that nothing of the process
//! changes and nothing can be left behind. It sees only objects of ours: it ends the process on a damaged input. lld has
//! global state: one link at a time.

use crate::{
    error::LlvmError,
    guard::{guarded, poison},
    text::{c_string, take_message},
};
use std::{
    ffi::{CString, c_char, c_int},
    ptr, slice,
    sync::{Mutex, PoisonError},
};

/// Set in the shim's result when lld could not clean up after itself.
const CANNOT_RUN_AGAIN: c_int = 0x100;
/// As clang links for AMD's GPUs: nothing is left out that AMD's loader may look at, and nothing is left open. No build id:
/// the bytes depend on the code alone. Before lld writes it looks whether the output is a file that has to be replaced, so
/// its name is one that no file can have.
const OPTIONS: [&str; 8] = [
    "ld.lld",
    "-shared",
    "--no-undefined",
    "--threads=1",
    "--build-id=none",
    "-o",
    "/dev/null/code.so",
    "/dev/null/code.o",
];

unsafe extern "C-unwind" {
    fn sinter_lld_link(
        arguments: *const *const c_char,
        count: usize,
        object: *const u8,
        object_size: usize,
        output: *mut *mut u8,
        output_size: *mut usize,
        message: *mut *mut c_char,
    ) -> c_int;
}

static ONE_LINK: Mutex<()> = Mutex::new(());

/// What a call of lld left.
struct LinkerResult {
    code: c_int,
    output: Option<Vec<u8>>,
    message: String,
}

/// Links an object of ours to a shared object.
pub fn link_shared(object: &[u8]) -> Result<Vec<u8>, LlvmError> {
    let LinkerResult { code, output, message } = run_lld(object)?;
    if code & CANNOT_RUN_AGAIN != 0 {
        poison("the linker could not clean up after an error");
    }
    match output {
        Some(bytes) if code == 0 => Ok(bytes),
        _ => Err(LlvmError::Link { message: message.trim_end().to_owned() }),
    }
}

fn run_lld(object: &[u8]) -> Result<LinkerResult, LlvmError> {
    let arguments: Vec<CString> = OPTIONS.iter().map(|option| c_string(option)).collect();
    let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    let (mut bytes, mut size, mut message) = (ptr::null_mut(), 0, ptr::null_mut());
    let _one = ONE_LINK.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: `pointers` are C strings that outlive the call, as `object` does; the lock makes it the only one.
    let code = guarded(|| unsafe {
        let (arguments, count) = (pointers.as_ptr(), pointers.len());
        sinter_lld_link(arguments, count, object.as_ptr(), object.len(), &mut bytes, &mut size, &mut message)
    })?;
    Ok(LinkerResult { code, output: take_bytes(bytes, size), message: take_message(message) })
}

/// A copy of what the shim allocated, which is freed.
fn take_bytes(bytes: *mut u8, size: usize) -> Option<Vec<u8>> {
    if bytes.is_null() {
        return None;
    }
    // SAFETY: the shim gives `size` initialised bytes that nothing else refers to.
    let copy = unsafe { slice::from_raw_parts(bytes, size) }.to_vec();
    // SAFETY: the shim allocated them with `calloc`, and this is the only place that frees them.
    unsafe { libc::free(bytes.cast()) };
    Some(copy)
}
