//! Failures of OpenCL functions.
//!
//! In: an error code that a function returned or stored. Out: a failure, its meaning, and a remedy.
//! *Invariant:* a remedy is something that the user can do.

use opencl_sys::types::error;
use sinter_driver_common::Failure;

/// Name under which the status of a failed command is reported.
pub(crate) const STATUS: &str = "CL_EVENT_COMMAND_EXECUTION_STATUS";

/// An error of OpenCL, with a remedy if one is known.
pub use sinter_driver_common::VendorError as OpenClError;

/// The result of a function that returns a value and stores its error code.
pub(crate) fn made<T>(call: &'static str, code: i32, value: T) -> Result<T, Failure> {
    if code == 0 { Ok(value) } else { Err(failure(call, code)) }
}

/// A failure with an OpenCL error code.
pub(crate) fn failure(call: &'static str, code: i32) -> Failure {
    Failure { call, code: code.cast_unsigned() }
}

/// True if a failure has one of these codes.
pub(crate) fn is_any(failure: Failure, codes: &[i32]) -> bool {
    codes.contains(&failure.code.cast_signed())
}

/// Advice to the user about an error code, if there is any.
pub(crate) fn remedy(code: i32) -> Option<&'static str> {
    Some(match code {
        error::DEVICE_NOT_AVAILABLE => "the device was lost, or another process has it",
        error::COMPILER_NOT_AVAILABLE => "install the vendor's OpenCL driver whole: its compiler is missing",
        error::MEM_OBJECT_ALLOCATION_FAILURE | error::OUT_OF_RESOURCES => {
            "free memory of the device, or use less of it in a kernel; if a kernel ran, it may have failed: see dmesg"
        }
        error::OUT_OF_HOST_MEMORY => "free memory of the host",
        error::PROFILING_INFO_NOT_AVAILABLE => "make the queue with CL_QUEUE_PROFILING_ENABLE",
        _ => return None,
    })
}

/// True if the failure ends the device. OpenCL has no error code for that. After a failed command,
/// the queue and its context may be unusable ("The OpenCL Specification", `clEnqueueNDRangeKernel`
/// and event objects). A lack of resources ends the device only if the call allocates nothing.
pub(crate) fn is_sticky(failure: Failure) -> bool {
    let waits = matches!(failure.call, "clFinish" | "clWaitForEvents");
    let of_command = failure.call == STATUS && failure.code.cast_signed() < 0;
    of_command
        || is_any(failure, &[error::DEVICE_NOT_AVAILABLE])
        || waits && is_any(failure, &[error::OUT_OF_RESOURCES, error::EXEC_STATUS_ERROR])
}

/// True if the code itself was rejected. Every other error says nothing about the code: libraries
/// have many codes, some of them their own, for a missing compiler and for a lack of memory or
/// descriptors.
pub(crate) fn is_about_code(failure: Failure) -> bool {
    let of_code = [
        error::BUILD_PROGRAM_FAILURE,
        error::COMPILE_PROGRAM_FAILURE,
        error::LINK_PROGRAM_FAILURE,
        error::INVALID_VALUE,
        error::INVALID_BINARY,
        error::INVALID_BUILD_OPTIONS,
        error::INVALID_PROGRAM,
        error::INVALID_PROGRAM_EXECUTABLE,
        error::INVALID_KERNEL_NAME,
        error::INVALID_KERNEL_DEFINITION,
    ];
    is_any(failure, &of_code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver_common::error::code;

    #[test]
    fn a_lack_of_memory_loses_no_device() {
        let sticky = |call, code| is_sticky(failure(call, code));
        assert!(!sticky("clEnqueueNDRangeKernel", error::OUT_OF_RESOURCES));
        assert!(sticky("clFinish", error::OUT_OF_RESOURCES));
        assert!(sticky("clEnqueueNDRangeKernel", error::DEVICE_NOT_AVAILABLE));
        assert!(sticky(STATUS, -9999), "a command that failed");
        assert!(!is_sticky(Failure { call: STATUS, code: code::NOT_READY }));
        assert!(!is_about_code(failure("clBuildProgram", error::OUT_OF_HOST_MEMORY)));
        assert!(is_about_code(failure("clBuildProgram", error::BUILD_PROGRAM_FAILURE)));
        assert!(!is_about_code(failure("clBuildProgram", error::OUT_OF_RESOURCES)));
        assert!(!is_about_code(failure("clBuildProgram", -9999)), "an error of one library");
    }
}
