//! Says what a code of NVIDIA's driver means and what to do about it.
//!
//! In: the number that a function returned. Out: its name and text, as the driver gives them, with a remedy. *Invariant:* an
//! error is sticky exactly if every later call on the context returns it, so that only those give up a device.

use crate::api::Api;
use std::{
    ffi::{CStr, c_char},
    fmt, ptr,
};

/// The codes that are treated in a way of their own.
pub(crate) mod code {
    pub(crate) const OUT_OF_MEMORY: u32 = 2;
    pub(crate) const DEINITIALIZED: u32 = 4;
    pub(crate) const STUB_LIBRARY: u32 = 34;
    pub(crate) const DEVICE_UNAVAILABLE: u32 = 46;
    pub(crate) const NO_DEVICE: u32 = 100;
    pub(crate) const ECC_UNCORRECTABLE: u32 = 214;
    pub(crate) const NVLINK_UNCORRECTABLE: u32 = 220;
    pub(crate) const JIT_COMPILER_NOT_FOUND: u32 = 221;
    pub(crate) const UNSUPPORTED_PTX_VERSION: u32 = 222;
    pub(crate) const JIT_COMPILATION_DISABLED: u32 = 223;
    pub(crate) const CONTAINED: u32 = 226;
    pub(crate) const OPERATING_SYSTEM: u32 = 304;
    pub(crate) const NOT_READY: u32 = 600;
    pub(crate) const ILLEGAL_ADDRESS: u32 = 700;
    pub(crate) const LAUNCH_TIMEOUT: u32 = 702;
    pub(crate) const PEER_ACCESS_ALREADY_ENABLED: u32 = 704;
    pub(crate) const PEER_ACCESS_NOT_ENABLED: u32 = 705;
    pub(crate) const CONTEXT_IS_DESTROYED: u32 = 709;
    pub(crate) const ASSERT: u32 = 710;
    pub(crate) const HARDWARE_STACK_ERROR: u32 = 714;
    pub(crate) const LAUNCH_FAILED: u32 = 719;
    pub(crate) const TENSOR_MEMORY_LEAK: u32 = 721;
    pub(crate) const NOT_PERMITTED: u32 = 800;
    pub(crate) const SYSTEM_NOT_READY: u32 = 802;
    pub(crate) const SYSTEM_DRIVER_MISMATCH: u32 = 803;
    pub(crate) const COMPAT_NOT_SUPPORTED: u32 = 804;
    pub(crate) const UNKNOWN: u32 = 999;
}

/// A function of the driver that did not return 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) call: &'static str,
    pub(crate) code: u32,
}

impl Failure {
    /// Whether the context is lost with it (CUDA driver API, "Data types used by CUDA driver": the codes that leave the process
    /// in an inconsistent state).
    pub(crate) fn is_sticky(self) -> bool {
        use code::*;
        matches!(
            self.code,
            ECC_UNCORRECTABLE
                | NVLINK_UNCORRECTABLE
                | ILLEGAL_ADDRESS
                | LAUNCH_TIMEOUT
                | CONTEXT_IS_DESTROYED
                | ASSERT
                | HARDWARE_STACK_ERROR..=LAUNCH_FAILED | CONTAINED | TENSOR_MEMORY_LEAK
        )
    }

    /// Whether code was refused for itself: a driver that lacks its assembler, memory or time says nothing about the code.
    pub(crate) fn is_about_code(self) -> bool {
        use code::*;
        let elsewhere = matches!(
            self.code,
            OUT_OF_MEMORY | DEINITIALIZED | JIT_COMPILER_NOT_FOUND | JIT_COMPILATION_DISABLED | OPERATING_SYSTEM
        );
        !elsewhere && !self.is_sticky()
    }
}

/// What NVIDIA's driver says about an error, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CudaError {
    /// The number.
    pub code: u32,
    /// Its name in `cuda.h`.
    pub name: String,
    /// The driver's description.
    pub text: String,
    /// What to do about it, where that is known.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name, self.code, self.text)?;
        self.remedy.map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl CudaError {
    /// What `code` means.
    pub(crate) fn new(api: &Api, code: u32) -> Self {
        // SAFETY: the function only writes to `text`, whatever the code.
        let name = described(|text| unsafe { api.error_name(code, text) }.is_ok());
        // SAFETY: as above.
        let text = described(|text| unsafe { api.error_text(code, text) }.is_ok());
        let name = name.unwrap_or_else(|| "an error that this driver does not name".to_owned());
        CudaError { code, name, text: text.unwrap_or_else(|| "no description".to_owned()), remedy: remedy(code) }
    }
}

/// The text that `ask` stores, where it does.
fn described(ask: impl FnOnce(*mut *const c_char) -> bool) -> Option<String> {
    let mut text = ptr::null();
    if !ask(&raw mut text) || text.is_null() {
        return None;
    }
    // SAFETY: the driver's texts are constants that end with a null character.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// What to do about an error.
fn remedy(code: u32) -> Option<&'static str> {
    use code::*;
    Some(match code {
        OUT_OF_MEMORY => "free memory of the GPU, or end other processes that use it (nvidia-smi lists them)",
        STUB_LIBRARY => "the library is the toolkit's stub: take its folder out of LD_LIBRARY_PATH",
        DEVICE_UNAVAILABLE => "another process holds the GPU in exclusive mode (nvidia-smi -q shows the compute mode)",
        JIT_COMPILER_NOT_FOUND => "install the driver whole: libnvidia-ptxjitcompiler is missing",
        UNSUPPORTED_PTX_VERSION => "install a newer driver",
        JIT_COMPILATION_DISABLED => "unset CUDA_DISABLE_PTX_JIT",
        OPERATING_SYSTEM | NOT_PERMITTED | UNKNOWN => {
            "check that the module nvidia-uvm is loaded and that /dev/nvidia* may be read and written; dmesg may say more"
        }
        ILLEGAL_ADDRESS | LAUNCH_FAILED | HARDWARE_STACK_ERROR..LAUNCH_FAILED => {
            "compute-sanitizer shows where; CUDA_LAUNCH_BLOCKING=1 names the kernel"
        }
        LAUNCH_TIMEOUT => "a GPU that drives a display ends long kernels: split the kernel, or use another GPU",
        ASSERT => "an assertion in a kernel failed",
        ECC_UNCORRECTABLE | NVLINK_UNCORRECTABLE | CONTAINED => "the hardware failed: see dmesg and nvidia-smi -q",
        SYSTEM_NOT_READY => "start the service nvidia-fabricmanager",
        SYSTEM_DRIVER_MISMATCH => "the kernel module and the libraries are of different versions: reboot",
        COMPAT_NOT_SUPPORTED => "remove the compatibility libraries, or install a newer kernel module",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Failure, code};
    use cudarc::driver::sys::cudaError_enum::*;

    #[test]
    fn sticky_codes_are_those_of_cuda_h() {
        let sticky = |code| Failure { call: "cuStreamQuery", code }.is_sticky();
        for code in [
            CUDA_ERROR_ECC_UNCORRECTABLE,
            CUDA_ERROR_NVLINK_UNCORRECTABLE,
            CUDA_ERROR_ILLEGAL_ADDRESS,
            CUDA_ERROR_LAUNCH_TIMEOUT,
            CUDA_ERROR_ASSERT,
            CUDA_ERROR_HARDWARE_STACK_ERROR,
            CUDA_ERROR_ILLEGAL_INSTRUCTION,
            CUDA_ERROR_MISALIGNED_ADDRESS,
            CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUDA_ERROR_INVALID_PC,
            CUDA_ERROR_LAUNCH_FAILED,
        ] {
            assert!(sticky(code as u32), "{code:?}");
        }
        for code in [
            CUDA_ERROR_OUT_OF_MEMORY,
            CUDA_ERROR_NOT_READY,
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        ] {
            assert!(!sticky(code as u32), "{code:?}");
        }
        // The bindings of older versions of CUDA lack these two (cuda.h of CUDA 13.0).
        assert_eq!([code::CONTAINED, code::TENSOR_MEMORY_LEAK], [226, 721]);
        assert!(sticky(226) && sticky(721) && !sticky(722));
    }
}
