//! Failures of Vulkan functions.
//!
//! In: the result of a function. Out: a failure, its meaning, and a remedy. *Invariant:* a remedy
//! is something that the user can do. The codes of `sinter_driver_common::error` mean the same
//! here; Vulkan's own errors are negative.
#![forbid(unsafe_code)]

use ash::vk;
use sinter_driver_common::{Failure, error::code};

/// An error of Vulkan, with a remedy if one is known.
pub use sinter_driver_common::VendorError as VulkanError;

/// The result of a function, with its name.
pub(crate) fn called<T>(call: &'static str, result: Result<T, vk::Result>) -> Result<T, Failure> {
    result.map_err(|error| Failure { call, code: error.as_raw().cast_unsigned() })
}

/// A failure with a code of `sinter_driver_common::error`.
pub(crate) fn failure(call: &'static str, code: u32) -> Failure {
    Failure { call, code }
}

fn result(code: u32) -> vk::Result {
    vk::Result::from_raw(code.cast_signed())
}

/// Name of an error in Vulkan's header, or of one that the driver found itself.
pub(crate) fn name(code: u32) -> Option<String> {
    let own = match code {
        code::ASSERT => "a trap in a kernel",
        code::DEINITIALIZED => "the process is exiting",
        code::INVALID_VALUE => "a range that is not inside one allocation",
        code::NOT_SUPPORTED => "the device cannot do that",
        _ => {
            let name = format!("{:?}", result(code));
            let is_named = name.starts_with(|first: char| first.is_ascii_uppercase());
            return is_named.then(|| format!("VK_{name}"));
        }
    };
    Some(own.to_owned())
}

/// Vulkan's description of an error.
pub(crate) fn text(code: u32) -> Option<String> {
    let text = result(code).to_string();
    if code.cast_signed() < 0 { Some(text) } else { name(code) }
}

/// Advice to the user about an error, if there is any.
pub(crate) fn remedy(code: u32) -> Option<&'static str> {
    Some(match result(code) {
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => "free memory of the device",
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => "free memory of the host",
        vk::Result::ERROR_DEVICE_LOST => {
            "a kernel accessed memory that is not its own, or ran too long: see dmesg; SINTER_VULKAN_VALIDATION=on reports wrong \
             uses of Vulkan"
        }
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => "install the Vulkan driver of the device's vendor",
        vk::Result::ERROR_TOO_MANY_OBJECTS => "use fewer allocations",
        _ => return None,
    })
}

/// True if the failure ends the device.
pub(crate) fn is_sticky(failure: Failure) -> bool {
    failure.code == code::ASSERT || result(failure.code) == vk::Result::ERROR_DEVICE_LOST
}

/// True for a lack of memory.
pub(crate) fn is_out_of_memory(failure: Failure) -> bool {
    let full = [
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_TOO_MANY_OBJECTS,
    ];
    full.contains(&result(failure.code)) || failure.code == code::OUT_OF_MEMORY
}

/// True if the code itself was rejected.
pub(crate) fn is_about_code(failure: Failure) -> bool {
    let of_code = [vk::Result::ERROR_INVALID_SHADER_NV, vk::Result::ERROR_UNKNOWN];
    of_code.contains(&result(failure.code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_names_of_the_header() {
        let lost = vk::Result::ERROR_DEVICE_LOST.as_raw().cast_unsigned();
        assert_eq!(name(lost).as_deref(), Some("VK_ERROR_DEVICE_LOST"));
        assert!(text(lost).is_some_and(|text| text != "VK_ERROR_DEVICE_LOST") && remedy(lost).is_some());
        assert_eq!(name((-9999i32).cast_unsigned()), None);
        assert!(is_sticky(failure("", lost)) && is_sticky(failure("", code::ASSERT)));
        assert!(!is_sticky(failure("", code::DEINITIALIZED)) && !is_about_code(failure("", lost)));
    }

    #[test]
    fn a_lack_of_memory_is_known() {
        let full = called::<()>("vkAllocateMemory", Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY)).expect_err("a failure");
        assert!(is_out_of_memory(full) && !is_sticky(full));
        assert_eq!(full.call, "vkAllocateMemory");
    }
}
