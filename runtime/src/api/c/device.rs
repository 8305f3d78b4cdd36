//! Devices and their properties.
//!
//! *Invariant:* each property has the type and size that the comments of `sinter_device_info` give.
#![expect(unsafe_code, reason = "exports C symbols and writes through the pointers of C callers")]

use super::{global, guard::guard, pointer};
use crate::{
    aspects,
    devices::{DeviceEntry, Part, Units},
    error::RuntimeError,
};
use std::ffi::c_void;

fn text(value: &str) -> Vec<u8> {
    value.bytes().filter(|byte| *byte != 0).chain([0]).collect()
}

fn words(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

fn word(value: u32) -> Vec<u8> {
    value.to_ne_bytes().to_vec()
}

/// The sizes of sub-groups. The first is that of kernels which require none: programs rely on it.
fn sub_group_sizes(device: &DeviceEntry) -> Vec<u64> {
    let sizes = &device.device.info().sub_group_sizes;
    let first = global::runtime().default_sub_group_size(device);
    let (first, others): (Vec<u64>, Vec<u64>) = sizes.iter().partition(|size| **size == first);
    [first, others].concat()
}

/// A property in the representation of the C interface. `what` is a number of `sinter_device_info`;
/// an unknown one is an error.
fn property(device: &DeviceEntry, what: i32) -> Result<Vec<u8>, RuntimeError> {
    let info = device.device.info();
    let part = || global::runtime().devices().part(device.index).map(|(part, _)| part);
    Ok(match what {
        0 => text(&info.name),
        1 => text(&info.vendor),
        2 => text(info.driver),
        3 => text(&info.driver_version),
        4 => text(&device.device.target().to_string()),
        5 => word(info.kind as u32),
        6 => word(info.compute_units),
        7 => words(&[info.max_work_group_size]),
        8 => words(&info.max_work_item_sizes),
        9 => words(&[info.global_memory]),
        10 => words(&[info.local_memory]),
        11 => words(&[info.max_allocation]),
        12 => word(info.clock_mhz),
        13 => words(&sub_group_sizes(device)),
        14 => words(&[info.features.0]),
        15 => word(info.vendor_id),
        16 => word(info.cache_line),
        17 => word(part().map_or(u32::MAX, |part| part.parent)),
        18 => word(part().map_or(0, |part| part.partition)),
        19 => words(&[global::runtime().default_sub_group_size(device)]),
        20 => word(device.device.node_count()),
        21 => words(&[aspects::of(info)]),
        _ => return Err(RuntimeError::invalid("what", format!("{what} is not a sinter_device_info (0 to 21)"))),
    })
}

/// Copies a property to the caller. A buffer that is too small is an error.
///
/// # Safety
/// Unless null, `value` is writable for `size` bytes.
unsafe fn deliver(bytes: &[u8], value: *mut c_void, size: usize) -> Result<(), RuntimeError> {
    if value.is_null() {
        return Ok(());
    }
    if size < bytes.len() {
        return Err(RuntimeError::invalid("size", format!("{size} bytes are not enough, {} are needed", bytes.len())));
    }
    // SAFETY: the caller promises `size` writable bytes, and the property is not longer. The
    // property is a local value, so the two do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), value.cast(), bytes.len()) };
    Ok(())
}

/// `sinter_device_count`: see `sinter/sinter.h`.
///
/// # Safety
/// `count` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_count(count: *mut u32) -> i32 {
    guard(|| {
        let found = global::runtime().devices().visible.len() as u32;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("count", count, found) }
    })
}

/// `sinter_device_divide`: see `sinter/sinter.h`.
///
/// # Safety
/// `part` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_divide(
    device: u32,
    first: u32,
    units: u32,
    partition: u32,
    part: *mut u32,
) -> i32 {
    guard(|| {
        pointer::check("part", part)?;
        let index = global::runtime().devices().divide(Part {
            parent: device,
            units: Units::Run { first, count: units },
            partition,
        })?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("part", part, index) }
    })
}

/// `sinter_device_take_node`: see `sinter/sinter.h`.
///
/// # Safety
/// `part` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_take_node(device: u32, node: u32, partition: u32, part: *mut u32) -> i32 {
    guard(|| {
        pointer::check("part", part)?;
        let units = Units::Node(node);
        let index = global::runtime().devices().divide(Part { parent: device, units, partition })?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write("part", part, index) }
    })
}

/// `sinter_device_get_info`: see `sinter/sinter.h`.
///
/// # Safety
/// `value` is null or writable for `size` bytes, `required` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_device_get_info(
    device: u32,
    what: i32,
    value: *mut c_void,
    size: usize,
    required: *mut usize,
) -> i32 {
    guard(|| {
        let bytes = property(global::runtime().device(device)?, what)?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("required", required, bytes.len()) }?;
        // SAFETY: writable for `size` bytes unless null, by the caller's promise.
        unsafe { deliver(&bytes, value, size) }
    })
}
