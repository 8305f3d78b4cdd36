//! Identifies the code of one kernel.
//!
//! In: an image's bitcode and a kernel's name. Out: the BLAKE3 digest of the kernel's closure, that is of the kernel
//! and every function and global it reaches. *Invariant:* whatever could change the generated code changes the
//! digest; debug information, paths, names of internal things, and code outside the closure do not.
//!
//! The digest is taken over the printed closure: LLVM's bitcode writer also stores every metadata kind and
//! synchronization scope that the whole image names (`ModuleBitcodeWriter::writeModuleMetadataKinds`).

use crate::guard::guarded;
use std::ffi::{CStr, c_char};

/// Why a kernel has no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}`: {reason}")]
pub struct KernelHashError {
    /// The kernel that was asked for.
    pub kernel: String,
    /// What LLVM or the closure walk found.
    pub reason: String,
}

unsafe extern "C-unwind" {
    fn sinter_kernel_text(
        bitcode: *const c_char,
        size: usize,
        kernel: *const c_char,
        kernel_size: usize,
        error: *mut *mut c_char,
    ) -> *mut c_char;
}

/// The digest of the closure of `kernel` in the image `bitcode`.
pub fn kernel_hash(bitcode: &[u8], kernel: &str) -> Result<[u8; 32], KernelHashError> {
    canonical_text(bitcode, kernel)
        .map(|text| *blake3::hash(&text).as_bytes())
        .map_err(|reason| KernelHashError { kernel: kernel.to_owned(), reason })
}

fn canonical_text(bitcode: &[u8], kernel: &str) -> Result<Vec<u8>, String> {
    let mut error = std::ptr::null_mut();
    // SAFETY: both slices outlive the call, which copies what it keeps, and `error` is a valid place for a message.
    let text = guarded(|| unsafe {
        sinter_kernel_text(bitcode.as_ptr().cast(), bitcode.len(), kernel.as_ptr().cast(), kernel.len(), &mut error)
    })
    .map_err(|error| error.to_string())?;
    match text.is_null() {
        false => Ok(take_message(text)),
        true => Err(String::from_utf8_lossy(&take_message(error)).into_owned()),
    }
}

fn take_message(message: *mut c_char) -> Vec<u8> {
    // SAFETY: the shim returns a NUL-terminated message that belongs to the caller.
    let bytes = unsafe { CStr::from_ptr(message) }.to_bytes().to_vec();
    // SAFETY: the message comes from LLVMCreateMessage and is not used afterwards.
    unsafe { llvm_sys::core::LLVMDisposeMessage(message) };
    bytes
}
