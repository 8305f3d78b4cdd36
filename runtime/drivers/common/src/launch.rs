//! Validates a launch before the driver sees it.
//!
//! In: a launch and the limits of kernel and device. Out: the launch geometry, or an error with the
//! limit that was exceeded. *Invariant:* an accepted launch stays within all limits of the device,
//! and nothing here allocates unless it refuses.

use sinter_core::LaunchShape;
use sinter_driver::{LocalMemoryExcess, Refusal};

/// Names of the dimensions in error messages.
const DIMENSIONS: [char; 3] = ['x', 'y', 'z'];

/// Limits of launches and allocations on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of work-items in a work-group.
    pub group: u32,
    /// Largest work-group size in each dimension.
    pub group_sizes: [u32; 3],
    /// Largest number of work-groups in each dimension.
    pub grid: [u64; 3],
    /// Bytes of local memory per work-group that every kernel may use.
    pub local_memory: u32,
    /// Bytes of local memory per work-group for kernels that ask for more.
    pub most_local_memory: u32,
    /// Number of multiprocessors.
    pub processors: u32,
    /// Registers per work-item at full occupancy of a multiprocessor; 0 if occupancy does not
    /// depend on them.
    pub registers: u32,
    /// True if the device has managed memory that the host may access at the same time.
    pub managed: bool,
    /// True if managed memory can be prefetched.
    pub prefetch: bool,
}

/// Limits of one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelLimits {
    /// Largest number of work-items in a work-group, given the registers that the kernel uses.
    pub group: u32,
    /// Largest local memory of a work-group in bytes, including
    /// [`EntryInfo::local_memory`](sinter_core::EntryInfo::local_memory).
    pub local_memory: u32,
}

/// A validated launch, in the driver's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Number of work-groups in each dimension.
    pub grid: [u32; 3],
    /// Work-group size in each dimension.
    pub group: [u32; 3],
    /// Bytes of local memory per work-group, static and dynamic.
    pub local_memory: u32,
}

impl Geometry {
    /// Number of work-items, with those that fill up the last groups.
    pub(crate) fn items(&self) -> u64 {
        let groups: u64 = self.grid.into_iter().map(u64::from).product();
        groups * self.group.into_iter().map(u64::from).product::<u64>()
    }
}

/// Validates a launch of a kernel with `declared` bytes of local memory. `most_items` limits the
/// work-items in each dimension, including those that fill up the last group. `None` means that the
/// launch has no work-items.
#[inline]
pub fn check(
    shape: &LaunchShape,
    declared: u32,
    kernel: &KernelLimits,
    device: &Limits,
    most_items: u64,
) -> Result<Option<Geometry>, Refusal> {
    let group = shape.group;
    let sizes = group.iter().zip(device.group_sizes).all(|(size, most)| (1..=most).contains(size));
    // Sizes within the limits cannot overflow the product.
    if !sizes || group.into_iter().map(u64::from).product::<u64>() > kernel.group.into() {
        return Err(refuse_group(group, kernel, device).into());
    }
    if let Some(excess) = LocalMemoryExcess::of(declared, shape.local_memory, kernel.local_memory.into()) {
        return Err(excess.into());
    }
    if shape.global.contains(&0) {
        return Ok(None);
    }
    let count = shape.group_count();
    if count.iter().zip(device.grid).any(|(count, most)| *count > most) {
        return Err(refuse_grid(count, device).into());
    }
    let too_long = |(count, size): (u64, u32)| count.saturating_mul(size.into()) > most_items;
    if count.into_iter().zip(group).any(too_long) {
        return Err(refuse_items(count, group, most_items).into());
    }
    Ok(Some(Geometry { grid: count.map(|count| count as u32), group, local_memory: declared + shape.local_memory }))
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
fn refuse_grid(count: [u64; 3], device: &Limits) -> String {
    let wrong = (0..3).find(|&dimension| count[dimension] > device.grid[dimension]).unwrap_or(0);
    let (name, groups, most) = (DIMENSIONS[wrong], count[wrong], device.grid[wrong]);
    format!(
        "its range has {groups} work-groups in {name}, at most {most} can be launched; use larger work-groups in {name}"
    )
}

#[cold]
fn refuse_items(count: [u64; 3], group: [u32; 3], most: u64) -> String {
    let items = (0..3).map(|dimension| count[dimension].saturating_mul(group[dimension].into()));
    let (wrong, items) = (0..3).zip(items).find(|(_, items)| *items > most).unwrap_or((0, 0));
    let name = DIMENSIONS[wrong];
    format!(
        "its range has {items} work-items in {name}, with those that fill up the last work-group; at most {most} can be launched"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits of an H200.
    const LIMITS: Limits = Limits {
        group: 1024,
        group_sizes: [1024, 1024, 64],
        grid: [i32::MAX as u64, 65_535, 65_535],
        local_memory: 48 << 10,
        most_local_memory: 227 << 10,
        processors: 132,
        registers: 32,
        managed: true,
        prefetch: true,
    };

    const KERNEL: KernelLimits = KernelLimits { group: 512, local_memory: 232_448 };

    fn checked(global: [u64; 3], group: [u32; 3], local_memory: u32) -> Result<Option<Geometry>, Refusal> {
        check(&LaunchShape { global, group, local_memory }, 1024, &KERNEL, &LIMITS, u64::MAX)
    }

    #[test]
    fn the_grid_is_rounded_up() {
        let geometry = checked([1000, 9, 1], [128, 4, 1], 16).expect("accepted").expect("work-items");
        assert_eq!(geometry, Geometry { grid: [8, 3, 1], group: [128, 4, 1], local_memory: 1040 });
        assert_eq!(checked([0, 9, 1], [128, 1, 1], 0), Ok(None));
    }

    #[test]
    fn a_dimension_may_be_too_long() {
        let shape = |items| LaunchShape { global: [items, 1, 1], group: [256, 1, 1], local_memory: 0 };
        let checked = |items| check(&shape(items), 0, &KERNEL, &LIMITS, u32::MAX.into());
        let reason = checked(1 << 32).expect_err("too many work-items").to_string();
        assert!(reason.contains("4294967296 work-items in x") && reason.contains("at most 4294967295"), "{reason}");
        assert!(checked((1 << 32) - 255).is_err(), "the last group is filled up");
        assert_eq!(checked((1 << 32) - 256).expect("accepted").expect("work-items").grid, [(1 << 24) - 1, 1, 1]);
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
            let reason = result.expect_err(text).to_string();
            assert!(reason.contains(text), "{reason}");
        }
    }
}
