//! Checks a launch against the requirements and declarations of its kernel.
//!
//! In: a descriptor, a shape class, a device. Out: an error that names the kernel, its requirement
//! and the actual value. *Invariant:* a launch of a loaded kernel needs none of these checks.
#![forbid(unsafe_code)]

use super::shape::BadShape;
use crate::registry::descriptor::Descriptor;
use crate::{
    aspects,
    code::variant::ShapeClass,
    devices::{DeviceEntry, Limits},
    error::RuntimeError,
};
use sinter_core::{LaunchShape, names::readable};
use sinter_driver::LocalMemoryExcess;

fn refuse(kernel: &str, device: &DeviceEntry, reason: String) -> RuntimeError {
    RuntimeError::Launch { what: format!("kernel `{}` on {}", readable(kernel), device.device.info().name), reason }
}

fn format_size([x, y, z]: [u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// Work-group size to use instead, if the kernel requires one and the launch leaves it open.
pub(super) fn group_size(kernel: &Descriptor<'_>, class: &ShapeClass) -> Result<Option<[u32; 3]>, RuntimeError> {
    let required = kernel.requirements.required_group_size;
    if required == [0; 3] || required == class.group {
        return Ok(None);
    }
    if class.group == [0; 3] {
        return Ok(Some(required));
    }
    let (required, given) = (format_size(required), format_size(class.group));
    Err(RuntimeError::Launch {
        what: format!("kernel `{}`", readable(kernel.symbol)),
        reason: format!("it requires work-groups of {required} (x first), the launch has {given}"),
    })
}

/// Error for a launch with open work-group size that cannot run with the one that the kernel
/// requires.
#[cold]
pub(super) fn unsuitable(
    kernel: &Descriptor<'_>,
    group: [u32; 3],
    device: &DeviceEntry,
    problem: &BadShape,
) -> RuntimeError {
    let reason = format!("it requires work-groups of {} (x first), but {problem}", format_size(group));
    sizes(kernel, device).err().unwrap_or_else(|| refuse(kernel.symbol, device, reason))
}

/// Error for a launch with sizes that cannot run. A requirement that the device does not support is
/// the reason if there is one.
#[cold]
pub(super) fn bad_shape(kernel: &Descriptor<'_>, device: &DeviceEntry, problem: BadShape) -> RuntimeError {
    match problem {
        BadShape::Size(reason) => sizes(kernel, device).err().unwrap_or_else(|| refuse(kernel.symbol, device, reason)),
        BadShape::Dimensions(reason) => RuntimeError::Dimensions { kernel: kernel.symbol.to_owned(), reason },
    }
}

/// Rejects a device that has no groups of the required sizes.
fn sizes(kernel: &Descriptor<'_>, device: &DeviceEntry) -> Result<(), RuntimeError> {
    let required = kernel.requirements.required_group_size;
    let (Limits { group, sizes, .. }, wide) = (device.limits, required.map(u64::from));
    let items = wide.iter().fold(1, |items: u64, size| items.saturating_mul(*size));
    if items <= group && wide.iter().zip(&sizes).all(|(size, most)| size <= most) {
        return sub_group_size(kernel, device);
    }
    let feature =
        format!("work-groups of {} (x first), but the device's have at most {group} items", format_size(required));
    let (kernel, device) = (kernel.symbol.to_owned(), device.device.info().name.clone());
    Err(RuntimeError::Requires { kernel, device, feature })
}

/// Rejects a device that lacks aspects which the kernel requires.
pub(super) fn aspects(kernel: &Descriptor<'_>, device: &DeviceEntry) -> Result<(), RuntimeError> {
    if kernel.aspects == 0 {
        return Ok(());
    }
    let info = device.device.info();
    let missing = kernel.aspects & !aspects::of(info);
    if missing == 0 {
        return Ok(());
    }
    let feature = format!(
        "aspects that the device lacks (`sycl::device_has`: {}); choose a device with `sycl::aspect_selector`, or \
         `sycl::is_compatible` before the launch",
        aspects::names(missing)
    );
    Err(RuntimeError::Requires { kernel: kernel.symbol.to_owned(), device: info.name.clone(), feature })
}

/// Rejects a device without sub-groups of the required size, and one that chooses among several
/// sizes itself.
pub(super) fn sub_group_size(kernel: &Descriptor<'_>, device: &DeviceEntry) -> Result<(), RuntimeError> {
    let required = u64::from(kernel.requirements.required_sub_group_size);
    let info = device.device.info();
    let can_ask = device.device.target().makes_sub_groups_of(kernel.requirements.required_sub_group_size);
    if required == 0 || is_supported(&info.sub_group_sizes, required, can_ask) {
        return Ok(());
    }
    let sizes = info.sub_group_sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let chooses = info.sub_group_sizes.contains(&required);
    let have = if chooses { "the device chooses among" } else { "those of the device have" };
    let feature = format!("sub-groups of {required}; {have} {sizes}");
    Err(RuntimeError::Requires { kernel: kernel.symbol.to_owned(), device: info.name.clone(), feature })
}

/// True if the device runs sub-groups of the required size. With several sizes, code must be able
/// to ask for one.
fn is_supported(sizes: &[u64], required: u64, can_ask: bool) -> bool {
    sizes == [required] || can_ask && sizes.contains(&required)
}

/// Error for a launch with more local memory than the device has; the kernel declares part of it
/// itself.
#[cold]
pub(super) fn too_much_local_memory(
    kernel: &str,
    declared: u32,
    shape: &LaunchShape,
    device: &DeviceEntry,
) -> RuntimeError {
    let (dynamic, limit) = (shape.local_memory.into(), device.limits.local_memory);
    let excess = LocalMemoryExcess { declared: declared.into(), dynamic, limit };
    RuntimeError::LocalMemory { kernel: kernel.to_owned(), device: device.device.info().name.clone(), excess }
}

/// Error for an argument block of the wrong size.
#[cold]
pub(super) fn wrong_block(kernel: &str, expected: usize, given: usize) -> RuntimeError {
    RuntimeError::BlockSize { kernel: kernel.to_owned(), expected: expected as u64, given }
}

#[cfg(test)]
mod tests {
    use super::is_supported;

    #[test]
    fn a_size_among_several_is_no_promise_unless_code_asks_for_it() {
        for can_ask in [false, true] {
            assert!(is_supported(&[32], 32, can_ask));
            assert!(!is_supported(&[1], 32, can_ask) && !is_supported(&[], 32, can_ask));
            assert_eq!(is_supported(&[4, 8, 16, 32], 32, can_ask), can_ask);
        }
    }
}
