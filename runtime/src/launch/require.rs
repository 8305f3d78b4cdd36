//! Checks a launch against what its kernel requires and declares.
//!
//! In: a descriptor, a class of launches, a device. Out: an error that names the kernel, what it requires and what it got.
//! *Invariant:* nothing here is needed for a launch whose kernel is loaded.
#![forbid(unsafe_code)]

use super::{descriptor::Descriptor, hot::Bound};
use crate::{adapt::ShapeClass, devices::DeviceEntry, error::RuntimeError};
use sinter_core::LaunchShape;
use sinter_driver::local_memory_exceeded;

fn refuse(kernel: &str, device: &DeviceEntry, reason: String) -> RuntimeError {
    RuntimeError::Launch { what: format!("kernel `{kernel}` on {}", device.device.info().name), reason }
}

fn spell([x, y, z]: [u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// The work-group size to launch with instead, if the kernel requires one and the launch leaves it open.
pub(super) fn group_size(kernel: &Descriptor<'_>, class: &ShapeClass) -> Result<Option<[u32; 3]>, RuntimeError> {
    let required = kernel.requirements.required_group_size;
    if required == [0; 3] || required == class.group {
        return Ok(None);
    }
    if class.group == [0; 3] {
        return Ok(Some(required));
    }
    let (required, given) = (spell(required), spell(class.group));
    Err(RuntimeError::Launch {
        what: format!("kernel `{}`", kernel.symbol),
        reason: format!("it requires work-groups of {required} (x first), the launch has {given}"),
    })
}

/// Why a launch that leaves the work-group size open cannot have the one that the kernel requires.
#[cold]
pub(super) fn unsuitable(kernel: &str, group: [u32; 3], device: &DeviceEntry, error: RuntimeError) -> RuntimeError {
    let reason = match error {
        RuntimeError::Launch { reason, .. } | RuntimeError::InvalidArgument { reason, .. } => reason,
        other => return other,
    };
    refuse(kernel, device, format!("it requires work-groups of {} (x first), but {reason}", spell(group)))
}

/// Refuses a device whose sub-groups are not always those that the kernel requires: where it chooses among several sizes, no code asks for one.
pub(super) fn sub_group_size(kernel: &Descriptor<'_>, device: &DeviceEntry) -> Result<(), RuntimeError> {
    let required = u64::from(kernel.requirements.required_sub_group_size);
    let info = device.device.info();
    if required == 0 || has_only(&info.sub_group_sizes, required) {
        return Ok(());
    }
    let symbol = kernel.symbol;
    let sizes = info.sub_group_sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let have = if info.sub_group_sizes.len() > 1 { "it chooses itself among" } else { "its sub-groups have" };
    let feature = format!("sub-groups of {required}, which kernel `{symbol}` requires; {have} {sizes}");
    Err(RuntimeError::Unsupported { device: info.name.clone(), feature })
}

fn has_only(sizes: &[u64], required: u64) -> bool {
    sizes == [required]
}

/// Why a launch that was checked against [`Bound::dynamic_limit`] is refused.
#[cold]
pub(super) fn too_much_local_memory(bound: &Bound, shape: &LaunchShape, device: &DeviceEntry) -> RuntimeError {
    let declared = u64::from(bound.kernel.entry().local_memory);
    let reason = local_memory_exceeded(declared, shape.local_memory.into(), device.limits.local_memory);
    refuse(&bound.record.kernel, device, reason)
}

#[cfg(test)]
mod tests {
    use super::has_only;

    #[test]
    fn a_size_among_several_is_no_promise() {
        assert!(has_only(&[32], 32));
        assert!(!has_only(&[4, 8, 16, 32], 32) && !has_only(&[1], 32) && !has_only(&[], 32));
    }
}
