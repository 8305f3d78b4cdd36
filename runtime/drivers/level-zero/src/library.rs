//! The loader and descriptions of its errors.
//!
//! In: a table of functions. Out: the same, with names and remedies of errors. *Invariant:* a
//! remedy is something that the user can do.

use level_zero_sys::{
    Api,
    result::{self, describe},
};
use sinter_driver_common::{Describe, Failure};

/// An error of Level Zero, with a remedy if one is known.
pub use sinter_driver_common::VendorError as LevelZeroError;

/// The opened loader.
pub(crate) struct Library {
    pub(crate) api: Api,
}

impl Describe for Library {
    fn name(&self, code: u32) -> Option<String> {
        describe(code).map(|(name, _)| name.to_owned())
    }

    fn text(&self, code: u32) -> Option<String> {
        describe(code).map(|(_, meaning)| meaning.to_owned())
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        remedy(code)
    }
}

/// Advice to the user about an error code, if there is any.
fn remedy(code: u32) -> Option<&'static str> {
    use result::*;
    Some(match code {
        OUT_OF_DEVICE_MEMORY => "free memory of the device, or end other processes that use it",
        DEVICE_LOST | DEVICE_REQUIRES_RESET => {
            "dmesg shows what became of the device; a kernel that ran longer than the kernel module allows ends so as well (i915: \
             preempt_timeout_ms in /sys/class/drm/card*/engine)"
        }
        DEPENDENCY_UNAVAILABLE => "install the driver whole: Intel's needs libigc and libgmm",
        INSUFFICIENT_PERMISSIONS => {
            "check that /dev/dri/renderD* may be read and written (groups `render` and `video`)"
        }
        UNSUPPORTED_VERSION => "loader and driver do not fit together: update both",
        _ => return None,
    })
}

/// True if the failure ends the device.
pub(crate) fn is_sticky(failure: Failure) -> bool {
    matches!(failure.code, result::DEVICE_LOST | result::DEVICE_REQUIRES_RESET)
}

/// True if the failure means a lack of memory, on the device or the host.
pub(crate) fn is_out_of_memory(failure: Failure) -> bool {
    matches!(failure.code, result::OUT_OF_DEVICE_MEMORY | result::OUT_OF_HOST_MEMORY)
}

/// True if the code itself was rejected. Every other error says nothing about the code: drivers
/// have many codes, including the unknown error, for a missing compiler and for a lack of memory or
/// descriptors.
pub(crate) fn is_about_code(failure: Failure) -> bool {
    matches!(
        failure.code,
        result::MODULE_BUILD_FAILURE
            | result::MODULE_LINK_FAILURE
            | result::UNSUPPORTED_FEATURE
            | result::INVALID_ARGUMENT
            | result::INVALID_SIZE
            | result::UNSUPPORTED_SIZE
            | result::INVALID_ENUMERATION
            | result::UNSUPPORTED_ENUMERATION
            | result::INVALID_NATIVE_BINARY
            | result::INVALID_KERNEL_NAME
            | result::INVALID_KERNEL_ATTRIBUTE_VALUE
            | result::INVALID_MODULE_UNLINKED
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(code: u32) -> Failure {
        Failure { call: "zeModuleCreate", code }
    }

    #[test]
    fn only_a_lost_device_is_lost() {
        assert!(is_sticky(failure(result::DEVICE_LOST)) && is_sticky(failure(result::DEVICE_REQUIRES_RESET)));
        assert!(!is_sticky(failure(result::OUT_OF_DEVICE_MEMORY)) && !is_sticky(failure(result::UNKNOWN)));
    }

    #[test]
    fn a_missing_compiler_says_nothing_about_code() {
        assert!(is_about_code(failure(result::MODULE_BUILD_FAILURE)));
        assert!(is_about_code(failure(result::INVALID_NATIVE_BINARY)));
        assert!(!is_about_code(failure(result::DEPENDENCY_UNAVAILABLE)));
        for code in [result::OUT_OF_HOST_MEMORY, result::OUT_OF_DEVICE_MEMORY, result::UNKNOWN, result::DEVICE_LOST] {
            assert!(!is_about_code(failure(code)), "{code:#x}");
        }
        assert!(remedy(result::DEPENDENCY_UNAVAILABLE).is_some_and(|text| text.contains("libigc")));
    }
}
