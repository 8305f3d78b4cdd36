//! Queries OpenCL platforms and devices.
//!
//! In: a handle and the number of a query. Out: the answer as a number, a string or a list.
//! *Invariant:* a query that a device does not know has an empty answer instead of an error.

use opencl_sys::{
    Api,
    types::{Device, Platform},
};
use sinter_driver_common::{Failure, error::written};
use std::{
    ffi::{CStr, c_char, c_void},
    ptr,
};

/// The bytes of an answer. `query` takes the size of the buffer, the buffer, and a place for the
/// answer's size.
pub(crate) fn bytes(query: impl Fn(usize, *mut c_void, *mut usize) -> Result<(), Failure>) -> Result<Vec<u8>, Failure> {
    let mut size = 0;
    query(0, ptr::null_mut(), &raw mut size)?;
    let mut answer = vec![0u8; size];
    if size > 0 {
        query(size, answer.as_mut_ptr().cast(), ptr::null_mut())?;
    }
    Ok(answer)
}

/// The 64-bit words of an answer.
fn longs(answer: &[u8]) -> impl Iterator<Item = u64> {
    answer.chunks_exact(8).map(|bytes| bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte)))
}

/// The version in a string such as `OpenCL 2.1 vendor's words`, times ten.
pub(crate) fn version(text: &str) -> u32 {
    let numbers = text.strip_prefix("OpenCL ").and_then(|rest| rest.split(' ').next());
    let (major, minor) = numbers.and_then(|numbers| numbers.split_once('.')).unwrap_or_default();
    major.parse().unwrap_or(0) * 10 + minor.parse::<u32>().unwrap_or(0).min(9)
}

/// The newest SPIR-V version in a string such as `SPIR-V_1.0 SPIR-V_1.4`, times ten; 0 if there is
/// none.
pub(crate) fn spirv_version(text: &str) -> u32 {
    let numbers = text.split_whitespace().filter_map(|word| word.strip_prefix("SPIR-V_1."));
    numbers.filter_map(|minor| minor.parse::<u32>().ok()).map(|minor| 10 + minor.min(9)).max().unwrap_or(0)
}

/// A string property of a platform.
///
/// # Safety
/// The platform was returned by the library.
pub(crate) unsafe fn platform_text(api: &Api, platform: Platform, name: u32) -> Result<String, Failure> {
    // SAFETY: upheld by the caller; the buffer has the given size.
    bytes(|room, place, size| unsafe { api.platform_info(platform, name, room, place, size) })
        .map(|answer| written(&answer))
}

/// Queries of one device.
pub(crate) struct Questions<'a> {
    api: &'a Api,
    device: Device,
}

impl<'a> Questions<'a> {
    /// # Safety
    /// The device was returned by the library and lives as long as the result.
    pub(crate) unsafe fn new(api: &'a Api, device: Device) -> Self {
        Questions { api, device }
    }

    fn bytes(&self, name: u32) -> Result<Vec<u8>, Failure> {
        // SAFETY: the device is alive, and the buffer has the given size.
        bytes(|room, place, size| unsafe { self.api.device_info(self.device, name, room, place, size) })
    }

    pub(crate) fn text(&self, name: u32) -> Result<String, Failure> {
        self.bytes(name).map(|answer| written(&answer))
    }

    /// A number of up to 64 bits.
    pub(crate) fn number(&self, name: u32) -> Result<u64, Failure> {
        let mut answer = self.bytes(name)?;
        answer.resize(8, 0);
        Ok(longs(&answer).next().unwrap_or(0))
    }

    /// As [`Questions::number`]; 0 if there is no answer.
    pub(crate) fn any_number(&self, name: u32) -> u64 {
        self.number(name).unwrap_or(0)
    }

    /// Numbers of `size_t`, on a device where it has 64 bits.
    pub(crate) fn sizes(&self, name: u32) -> Vec<u64> {
        self.bytes(name).map(|answer| longs(&answer).collect()).unwrap_or_default()
    }

    /// Numbers of 32 bits.
    pub(crate) fn words(&self, name: u32) -> Vec<u32> {
        let answer = self.bytes(name).unwrap_or_default();
        answer.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    /// Strings that the answer has pointers to.
    pub(crate) fn texts(&self, name: u32) -> Vec<String> {
        let pointers =
            self.sizes(name).into_iter().map(|address| ptr::with_exposed_provenance::<c_char>(address as usize));
        let text = |pointer: *const c_char| {
            // SAFETY: a pointer that is not null refers to a null-terminated constant of the
            // library (cl_khr_spirv_queries).
            (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
        };
        pointers.filter_map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(["OpenCL 2.1 LINUX", "OpenCL 3.0 ", "OpenCL 1.2", "", "2.1"].map(version), [21, 30, 12, 0, 0]);
        let found = ["SPIR-V_1.0 SPIR-V_1.4 SPIR-V_1.2 ", "SPIR-V_1.10", "", "other_1.2"].map(spirv_version);
        assert_eq!(found, [14, 19, 0, 0]);
    }
}
