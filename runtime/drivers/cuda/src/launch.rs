//! Checks a launch before the driver sees it.
//!
//! In: a launch and the limits of kernel and device. Out: the driver's numbers, or what is wrong and what would be accepted.
//! *Invariant:* what passes asks for nothing that the device lacks, and nothing here allocates unless it refuses.

use crate::{features::Limits, kernel::KernelLimits};
use sinter_core::LaunchShape;

/// Names of the dimensions in messages.
const DIMENSIONS: [char; 3] = ['x', 'y', 'z'];

/// What the driver is asked to launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) grid: [u32; 3],
    pub(crate) group: [u32; 3],
    pub(crate) local_memory: u32,
}

/// Checks a launch of a kernel with `declared` bytes of local memory. `None` is a launch without work-items.
#[inline]
pub(crate) fn check(
    shape: &LaunchShape,
    declared: u32,
    kernel: &KernelLimits,
    device: &Limits,
) -> Result<Option<Geometry>, String> {
    let group = shape.group;
    let sizes = group.iter().zip(device.group_sizes).all(|(size, most)| (1..=most).contains(size));
    // With these sizes the product is far below 64 bits.
    if !sizes || group.into_iter().map(u64::from).product::<u64>() > kernel.group.into() {
        return Err(refuse_group(group, kernel, device));
    }
    let local_memory = u64::from(declared) + u64::from(shape.local_memory);
    if local_memory > kernel.local_memory.into() {
        return Err(refuse_local_memory(declared, shape.local_memory, kernel));
    }
    if shape.global.contains(&0) {
        return Ok(None);
    }
    let count = shape.group_count();
    if count.iter().zip(device.grid).any(|(count, most)| *count > most) {
        return Err(refuse_grid(count, device));
    }
    Ok(Some(Geometry { grid: count.map(|count| count as u32), group, local_memory: local_memory as u32 }))
}

#[cold]
fn refuse_group(group: [u32; 3], kernel: &KernelLimits, device: &Limits) -> String {
    let items = group.iter().map(|size| u128::from(*size)).product::<u128>();
    let most = kernel.group;
    let sizes = device.group_sizes;
    let why = match items {
        0 => "a work-group has at least one work-item in each dimension".to_owned(),
        _ if items > most.into() && most < device.group => format!(
            "with the registers that its code uses a work-group has at most {most} work-items; use a smaller one, or say its \
             size at compile time (reqd_work_group_size)"
        ),
        _ if items > most.into() => format!("a work-group has at most {most} work-items"),
        _ => format!("a work-group has at most {sizes:?} work-items in x, y and z"),
    };
    format!("its work-group of {group:?} has {items} work-items: {why}")
}

#[cold]
fn refuse_local_memory(declared: u32, dynamic: u32, kernel: &KernelLimits) -> String {
    sinter_driver::local_memory_exceeded(declared.into(), dynamic.into(), kernel.local_memory.into())
}

#[cold]
fn refuse_grid(count: [u64; 3], device: &Limits) -> String {
    let wrong = (0..3).find(|&dimension| count[dimension] > device.grid[dimension]).unwrap_or(0);
    let (name, groups, most) = (DIMENSIONS[wrong], count[wrong], device.grid[wrong]);
    format!(
        "its range has {groups} work-groups in {name}, at most {most} can be launched; use larger work-groups in {name}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group_size::tests::LIMITS;

    const KERNEL: KernelLimits = KernelLimits { group: 512, local_memory: 232_448 };

    fn checked(global: [u64; 3], group: [u32; 3], local_memory: u32) -> Result<Option<Geometry>, String> {
        check(&LaunchShape { global, group, local_memory }, 1024, &KERNEL, &LIMITS)
    }

    #[test]
    fn the_grid_is_rounded_up() {
        let geometry = checked([1000, 9, 1], [128, 4, 1], 16).expect("accepted").expect("work-items");
        assert_eq!(geometry, Geometry { grid: [8, 3, 1], group: [128, 4, 1], local_memory: 1040 });
        assert_eq!(checked([0, 9, 1], [128, 1, 1], 0), Ok(None));
    }

    #[test]
    fn refusals_say_what_would_be_accepted() {
        let refused = [
            (checked([1; 3], [1024, 1, 1], 0), "512 work-items; use a smaller one"),
            (checked([1; 3], [2, 0, 1], 0), "at least one"),
            (checked([1; 3], [1, 1, 128], 0), "[1024, 1024, 64]"),
            (checked([1; 3], [u32::MAX; 3], 0), "512"),
            (checked([1; 3], [1; 3], 232_448), "declares 1024 bytes of local memory and the launch adds 232448"),
            (checked([1, 1 << 20, 1], [1, 8, 1], 0), "131072 work-groups in y, at most 65535"),
            (checked([u64::MAX; 3], [1; 3], 0), "work-groups in x"),
        ];
        for (result, text) in refused {
            let reason = result.expect_err(text);
            assert!(reason.contains(text), "{reason}");
        }
    }
}
