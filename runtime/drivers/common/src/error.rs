//! Failures of a vendor's functions.
//!
//! In: the error code that a function returned. Out: its name and description from the vendor
//! library, with a remedy. *Invariant:* an error is sticky exactly if every later call on the
//! context returns it, so that only such errors give up a device.
//!
//! CUDA and HIP use the same numbers (`hip_runtime_api.h` of ROCm 5 to 7).

use sinter_dylib::Failure;
use std::{
    ffi::{CStr, c_char},
    fmt, ptr,
    sync::Arc,
};

/// Error codes that the drivers handle specially.
pub mod code {
    #![allow(missing_docs, reason = "they are the vendors' names")]
    pub const INVALID_VALUE: u32 = 1;
    pub const OUT_OF_MEMORY: u32 = 2;
    pub const NOT_INITIALIZED: u32 = 3;
    pub const DEINITIALIZED: u32 = 4;
    pub const STUB_LIBRARY: u32 = 34;
    pub const INSUFFICIENT_DRIVER: u32 = 35;
    pub const DEVICE_UNAVAILABLE: u32 = 46;
    pub const INVALID_DEVICE_FUNCTION: u32 = 98;
    pub const NO_DEVICE: u32 = 100;
    pub const INVALID_DEVICE: u32 = 101;
    pub const INVALID_IMAGE: u32 = 200;
    pub const NO_BINARY_FOR_GPU: u32 = 209;
    pub const ECC_UNCORRECTABLE: u32 = 214;
    /// `hipErrorInvalidKernelFile` of HIP.
    pub const INVALID_PTX: u32 = 218;
    pub const NVLINK_UNCORRECTABLE: u32 = 220;
    pub const JIT_COMPILER_NOT_FOUND: u32 = 221;
    pub const UNSUPPORTED_PTX_VERSION: u32 = 222;
    pub const JIT_COMPILATION_DISABLED: u32 = 223;
    pub const UNSUPPORTED_DEVICE_SYNC: u32 = 225;
    pub const CONTAINED: u32 = 226;
    pub const INVALID_SOURCE: u32 = 300;
    pub const SYMBOL_NOT_FOUND: u32 = 302;
    pub const SHARED_OBJECT_INIT_FAILED: u32 = 303;
    pub const OPERATING_SYSTEM: u32 = 304;
    pub const NOT_FOUND: u32 = 500;
    pub const NOT_READY: u32 = 600;
    pub const ILLEGAL_ADDRESS: u32 = 700;
    pub const LAUNCH_TIMEOUT: u32 = 702;
    pub const PEER_ACCESS_ALREADY_ENABLED: u32 = 704;
    pub const PEER_ACCESS_NOT_ENABLED: u32 = 705;
    pub const CONTEXT_IS_DESTROYED: u32 = 709;
    pub const ASSERT: u32 = 710;
    pub const HOST_MEMORY_ALREADY_REGISTERED: u32 = 712;
    pub const HOST_MEMORY_NOT_REGISTERED: u32 = 713;
    pub const HARDWARE_STACK_ERROR: u32 = 714;
    pub const LAUNCH_FAILED: u32 = 719;
    pub const TENSOR_MEMORY_LEAK: u32 = 721;
    pub const NOT_PERMITTED: u32 = 800;
    pub const NOT_SUPPORTED: u32 = 801;
    pub const SYSTEM_NOT_READY: u32 = 802;
    pub const SYSTEM_DRIVER_MISMATCH: u32 = 803;
    pub const COMPAT_NOT_SUPPORTED: u32 = 804;
    pub const UNKNOWN: u32 = 999;
    /// HIP only: a failure of the runtime below it.
    pub const RUNTIME_MEMORY: u32 = 1052;
    /// HIP only: as above.
    pub const RUNTIME_OTHER: u32 = 1053;
}

/// True if the failure ends the context (CUDA driver API, "Data types used by CUDA driver": the
/// codes that leave the process in an inconsistent state).
pub fn is_sticky(failure: Failure) -> bool {
    use code::*;
    matches!(
        failure.code,
        ECC_UNCORRECTABLE
            | NVLINK_UNCORRECTABLE
            | ILLEGAL_ADDRESS
            | LAUNCH_TIMEOUT
            | CONTEXT_IS_DESTROYED
            | ASSERT
            | HARDWARE_STACK_ERROR..=LAUNCH_FAILED | CONTAINED | TENSOR_MEMORY_LEAK
    )
}

/// True if the code itself was rejected. Every other error says nothing about the code: drivers
/// have many codes for a missing assembler and for a lack of memory, descriptors or time.
pub fn is_about_code(failure: Failure) -> bool {
    use code::*;
    matches!(
        failure.code,
        INVALID_VALUE
            | INVALID_DEVICE_FUNCTION
            | INVALID_IMAGE
            | NO_BINARY_FOR_GPU
            | INVALID_PTX
            | UNSUPPORTED_PTX_VERSION
            | UNSUPPORTED_DEVICE_SYNC
            | INVALID_SOURCE
            | SYMBOL_NOT_FOUND
            | NOT_FOUND
            | NOT_SUPPORTED
    )
}

/// Descriptions of a library's error codes.
pub trait Describe {
    /// Name of the error in the vendor's header.
    fn name(&self, code: u32) -> Option<String>;
    /// Description by the library.
    fn text(&self, code: u32) -> Option<String>;
    /// Advice to the user, if there is any.
    fn remedy(&self, code: u32) -> Option<&'static str>;
}

impl<D: Describe> Describe for Arc<D> {
    fn name(&self, code: u32) -> Option<String> {
        (**self).name(code)
    }

    fn text(&self, code: u32) -> Option<String> {
        (**self).text(code)
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        (**self).remedy(code)
    }
}

/// An error of a vendor library, with a remedy if one is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct VendorError {
    /// Error code.
    pub code: u32,
    /// Name in the vendor's header.
    pub name: String,
    /// Description by the library.
    pub text: String,
    /// Advice to the user, if there is any.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for VendorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // OpenCL's error codes are negative.
        write!(f, "{} ({})", self.name, self.code.cast_signed())?;
        if self.text != self.name {
            write!(f, ": {}", self.text)?;
        }
        self.remedy.map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl VendorError {
    /// Looks up the name, description and remedy of `code`.
    pub fn new(library: &impl Describe, code: u32) -> Self {
        let name = library.name(code).unwrap_or_else(|| "an error that this driver does not name".to_owned());
        let text = library.text(code).unwrap_or_else(|| "no description".to_owned());
        VendorError { code, name, text, remedy: library.remedy(code) }
    }
}

/// The string in a buffer that a library filled, up to its null terminator.
pub fn written(room: &[u8]) -> String {
    let text = room.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).trim().to_owned()
}

/// The string that `query` stores, if it reports success.
///
/// # Safety
/// `query` stores null or a null-terminated constant.
pub unsafe fn described(query: impl FnOnce(*mut *const c_char) -> bool) -> Option<String> {
    let mut text = ptr::null();
    if !query(&raw mut text) || text.is_null() {
        return None;
    }
    // SAFETY: upheld by the caller.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
