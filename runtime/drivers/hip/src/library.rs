//! AMD's HIP library and the differences between its versions.
//!
//! In: a table of functions. Out: the same, with descriptions of its errors. *Invariant:* a remedy
//! is something that the user can do.

use hip_sys::Api;
use sinter_driver_common::{
    Describe, Failure,
    error::{self, code},
};
use std::{
    collections::BTreeMap,
    ffi::CStr,
    sync::{Arc, Mutex},
};

/// An error of AMD's HIP library, with a remedy if one is known.
pub use sinter_driver_common::VendorError as HipError;

/// First major version that reports unknown host memory as a type of its own, as CUDA does.
const TYPES_OF_CUDA: i32 = 6;

/// AMD's HIP library.
pub(crate) struct Hip {
    pub(crate) api: Api,
    /// Major version of the library.
    pub(crate) major: i32,
    /// Code objects of the loaded modules, by handle: the library does not copy them.
    pub(crate) images: Mutex<BTreeMap<usize, Arc<[u8]>>>,
}

/// Values of `hipMemoryType`, independent of the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryType {
    Unknown,
    Host,
    Device,
}

impl Hip {
    pub(crate) fn new(api: Api, major: i32) -> Self {
        Hip { api, major, images: Mutex::default() }
    }

    /// Decodes a number of `hipMemoryType`. The numbers changed with ROCm 6.
    pub(crate) fn memory_type(&self, number: i32) -> MemoryType {
        match number + i32::from(self.major < TYPES_OF_CUDA) {
            0 => MemoryType::Unknown,
            1 => MemoryType::Host,
            _ => MemoryType::Device,
        }
    }
}

/// `None` for the string that the library returns for every code that it does not know.
fn unless_unknown(text: &CStr, code: u32) -> Option<String> {
    let text = text.to_string_lossy();
    (code == code::UNKNOWN || text != "hipErrorUnknown").then(|| text.into_owned())
}

impl Describe for Hip {
    fn name(&self, code: u32) -> Option<String> {
        // SAFETY: the function accepts any number.
        let text = unsafe { self.api.error_name(code) };
        // SAFETY: the library's strings are null-terminated constants.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }).and_then(|text| unless_unknown(text, code))
    }

    fn text(&self, code: u32) -> Option<String> {
        // SAFETY: the function accepts any number.
        let text = unsafe { self.api.error_text(code) };
        // SAFETY: the library's strings are null-terminated constants.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }).and_then(|text| unless_unknown(text, code))
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        remedy(code)
    }
}

/// Advice to the user about an error code, if there is any.
fn remedy(code: u32) -> Option<&'static str> {
    use code::*;
    Some(match code {
        OUT_OF_MEMORY | RUNTIME_MEMORY => {
            "free memory of the GPU, or end other processes that use it (rocm-smi --showpids lists them)"
        }
        NOT_INITIALIZED | OPERATING_SYSTEM | RUNTIME_OTHER => {
            "check that /dev/kfd and /dev/dri/renderD* may be read and written (groups `render` and `video`); dmesg may say more"
        }
        INSUFFICIENT_DRIVER => "the kernel module amdgpu is older than the library: install a newer one",
        NO_BINARY_FOR_GPU => "the code is for another GPU, or for other settings of xnack or sramecc",
        SHARED_OBJECT_INIT_FAILED => "install ROCm's libraries whole: libamd_comgr or libhsa-runtime64 may be missing",
        ILLEGAL_ADDRESS | LAUNCH_FAILED | HARDWARE_STACK_ERROR..LAUNCH_FAILED => {
            "AMD_SERIALIZE_KERNEL=3 names the kernel; dmesg shows the address"
        }
        LAUNCH_TIMEOUT => "the kernel module ended a long kernel: split it, or raise amdgpu.lockup_timeout",
        ASSERT => "an assertion in a kernel failed",
        ECC_UNCORRECTABLE => "the hardware failed: see dmesg and rocm-smi --showrasinfo",
        _ => return None,
    })
}

/// True if the failure ends the device. A launch that the library rejects because of its work-group
/// size has the same code as a launch that failed.
pub(crate) fn is_sticky(failure: Failure) -> bool {
    let refused = failure.call == "hipModuleLaunchKernel" && failure.code == code::LAUNCH_FAILED;
    error::is_sticky(failure) && !refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_launch_loses_no_device() {
        let failure = |call, code| is_sticky(Failure { call, code });
        assert!(!failure("hipModuleLaunchKernel", code::LAUNCH_FAILED));
        assert!(failure("hipModuleLaunchKernel", code::ILLEGAL_ADDRESS));
        assert!(failure("hipStreamSynchronize", code::LAUNCH_FAILED));
        assert!(!failure("hipMalloc", code::OUT_OF_MEMORY));
    }
}
