//! Resolves the size of a launch to a shape that the device can run.
//!
//! In: the sizes that the program passes. Out: a shape, or nothing to run. *Invariant:* every
//! number of a resolved shape is at least 1, except for an open work-group size, which is `OPEN`
//! until the kernel is known. A given work-group size divides the global size, and no product
//! overflows. Local memory is checked when the kernel is known, because the kernel declares some
//! itself.
#![forbid(unsafe_code)]

use crate::devices::{DeviceEntry, Limits};
pub(super) use sinter_core::LaunchShape;
pub use sinter_program::LaunchSize;

/// Work-group size that the program leaves open.
pub(super) const OPEN: [u32; 3] = [0; 3];

/// Result of resolving a launch size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// A dimension is 0, so there is nothing to run.
    Nothing,
    /// The shape to run.
    Shape(LaunchShape),
}

/// Reason why a launch cannot run. The caller adds the name of the kernel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadShape {
    /// The sizes contradict each other or exceed the limits of the device.
    #[error("{0}")]
    Size(String),
    /// The sizes and the number of dimensions do not agree.
    #[error("{0}")]
    Dimensions(String),
}

/// Name of a dimension in messages, as callers of both interfaces count them.
fn axis(index: usize, dimensions: u8) -> String {
    let name = ["x", "y", "z"][index];
    match usize::from(dimensions) {
        1 => name.to_owned(),
        used => format!("{name} (dimension {} of a sycl::nd_range)", used.saturating_sub(index + 1)),
    }
}

/// Checks a work-group size against the global size and the device.
fn check_group(device: &DeviceEntry, size: &LaunchSize, group: [u32; 3]) -> Result<(), BadShape> {
    let Limits { group: most, sizes, .. } = device.limits;
    let wide = group.map(u64::from);
    for (dimension, (&items, &all)) in wide.iter().zip(&size.global).enumerate() {
        let limit = sizes[dimension];
        let problem = match items {
            0 => "is not at least 1".to_owned(),
            _ if items > limit => format!("exceeds the device's {limit}"),
            1 => continue,
            _ if all % items != 0 => format!("does not divide the global size {all}"),
            _ => continue,
        };
        let axis = axis(dimension, size.dimensions);
        return Err(BadShape::Size(format!("the work-group size {items} in {axis} {problem}")));
    }
    let items = wide[0].saturating_mul(wide[1]).saturating_mul(wide[2]);
    if items > most {
        return Err(BadShape::Size(format!("a work-group of {items} work-items exceeds the device's {most}")));
    }
    Ok(())
}

/// Checks that sizes are set only in dimensions of the launch.
fn check_dimensions(size: &LaunchSize) -> Result<(), BadShape> {
    let used = usize::from(size.dimensions);
    if !(1..=3).contains(&used) {
        return Err(BadShape::Dimensions(format!("it has {used} dimensions, not 1 to 3")));
    }
    let group = size.group.unwrap_or([1; 3]);
    if size.global[used..].iter().any(|items| *items != 1) || group[used..].iter().any(|items| *items != 1) {
        return Err(BadShape::Dimensions("the sizes of unused dimensions must be 1".to_owned()));
    }
    Ok(())
}

/// Resolves a launch for a device.
pub fn resolve(size: &LaunchSize, device: &DeviceEntry) -> Result<Resolved, BadShape> {
    check_dimensions(size)?;
    let LaunchSize { dimensions: _, global, group, local_memory } = *size;
    if global.contains(&0) {
        return Ok(Resolved::Nothing);
    }
    let group = match group {
        Some(group) => check_group(device, size, group).map(|()| group)?,
        None => OPEN,
    };
    let shape = LaunchShape { global, group, local_memory };
    if shape.items().is_none() {
        return Err(BadShape::Size(format!("the global size {global:?} has more than 2^64 work-items")));
    }
    Ok(Resolved::Shape(shape))
}
