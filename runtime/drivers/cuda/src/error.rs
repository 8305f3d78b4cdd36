//! Describes the error codes of NVIDIA's driver, with remedies.
//!
//! In: the error code that a function returned. Out: its name and description from the driver, with
//! a remedy. *Invariant:* a remedy is something that the user can do.

use crate::api::Api;
use sinter_driver_common::{Describe, error::described};

pub(crate) use sinter_driver_common::error::code;

/// An error of NVIDIA's driver, with a remedy if one is known.
pub use sinter_driver_common::VendorError as CudaError;

impl Describe for Api {
    fn name(&self, code: u32) -> Option<String> {
        // SAFETY: the function only writes to `text`, whatever the code; the driver's strings are
        // constants.
        unsafe { described(|text| self.error_name(code, text).is_ok()) }
    }

    fn text(&self, code: u32) -> Option<String> {
        // SAFETY: as above.
        unsafe { described(|text| self.error_text(code, text).is_ok()) }
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        remedy(code)
    }
}

/// Advice to the user about an error code, if there is any.
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
    use super::code;
    use cudarc::driver::sys::cudaError_enum::*;
    use sinter_driver_common::{Failure, error};

    #[test]
    fn sticky_codes_are_those_of_cuda_h() {
        let sticky = |code| error::is_sticky(Failure { call: "cuStreamQuery", code });
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
        // The bindings for older versions of CUDA lack these two (cuda.h of CUDA 13.0).
        assert_eq!([code::CONTAINED, code::TENSOR_MEMORY_LEAK], [226, 721]);
        assert!(sticky(226) && sticky(721) && !sticky(722));
    }

    #[test]
    fn codes_about_code_are_those_of_cuda_h() {
        let is_about_code = |code| error::is_about_code(Failure { call: "cuModuleLoadDataEx", code: code as u32 });
        for code in [
            CUDA_ERROR_INVALID_VALUE,
            CUDA_ERROR_INVALID_IMAGE,
            CUDA_ERROR_NO_BINARY_FOR_GPU,
            CUDA_ERROR_INVALID_PTX,
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC,
            CUDA_ERROR_INVALID_SOURCE,
            CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
            CUDA_ERROR_NOT_FOUND,
            CUDA_ERROR_NOT_SUPPORTED,
        ] {
            assert!(is_about_code(code), "{code:?}");
        }
        for code in [
            CUDA_ERROR_OUT_OF_MEMORY,
            CUDA_ERROR_MAP_FAILED,
            CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
            CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
            CUDA_ERROR_OPERATING_SYSTEM,
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            CUDA_ERROR_SYSTEM_NOT_READY,
            CUDA_ERROR_ILLEGAL_ADDRESS,
            CUDA_ERROR_UNKNOWN,
        ] {
            assert!(!is_about_code(code), "{code:?}");
        }
    }
}
