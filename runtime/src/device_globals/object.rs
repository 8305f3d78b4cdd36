//! Objects of device globals, and copies of them.
//!
//! *Invariant:* an object starts with the address of its layout once the program has initialised
//! it.
#![expect(unsafe_code, reason = "reads objects of the program and copies them to devices")]

use crate::{abi::DeviceGlobalLayout, buffers::side::DeviceSide, error::RuntimeError};
use sinter_driver::Device;
use std::ffi::c_void;

/// Smallest alignment of an allocation in bytes: a cache line.
pub(super) const ALIGNMENT: usize = 64;

/// The layout of an object; `None` if the object is not initialised.
///
/// # Safety
/// The object is one of a device global of the program.
pub(super) unsafe fn layout_of(object: usize) -> Option<DeviceGlobalLayout> {
    let object: *const *const DeviceGlobalLayout = std::ptr::with_exposed_provenance(object);
    // SAFETY: the object starts with the address of its layout.
    let layout = unsafe { object.read() };
    // SAFETY: as above.
    (!layout.is_null() && layout.is_aligned()).then(|| unsafe { *layout })
}

/// The content of an object.
///
/// # Safety
/// As for [`layout_of`], which returned `layout`.
pub(super) unsafe fn bytes_of<'a>(object: usize, layout: DeviceGlobalLayout) -> &'a [u8] {
    // SAFETY: an object has as many bytes as its layout says, and host code does not change it.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(object), layout.size as usize) }
}

/// Copies bytes to a device, and waits for that.
///
/// # Safety
/// Both ranges have `size` bytes and do not overlap.
pub(super) unsafe fn transfer(
    device: &dyn Device,
    side: &DeviceSide,
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> Result<(), RuntimeError> {
    let queue = side.service(device)?;
    // SAFETY: the same contract, upheld by the caller.
    let ticket = unsafe { queue.copy(to, from, size) }?;
    Ok(queue.wait(ticket)?)
}
