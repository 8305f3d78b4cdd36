//! Turns the size of a launch into a shape that the device can run.
//!
//! In: what the program asked for. Out: a shape, or that there is nothing to run. *Invariant:* every number of a resolved shape
//! is at least 1, but for a work-group size that is left open, which is `OPEN` until the kernel is known; one that was given
//! divides the global size, and no product overflows. Local memory is checked where the kernel is known, because it declares
//! some itself.
#![forbid(unsafe_code)]

use crate::devices::{DeviceEntry, Limits};
use sinter_core::LaunchShape;

pub use sinter_program::LaunchSize;

/// A work-group size that the program leaves open.
pub(super) const OPEN: [u32; 3] = [0; 3];

/// What there is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// Some dimension is empty.
    Nothing,
    /// This.
    Shape(LaunchShape),
}

/// The reason for which a launch cannot be run. The kernel is named by whoever knows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadShape {
    /// The sizes contradict each other, or exceed what the device can.
    #[error("{0}")]
    Size(String),
    /// The sizes and the number of dimensions do not agree.
    #[error("{0}")]
    Dimensions(String),
}

/// A dimension of a launch as callers of either interface count them.
fn axis(index: usize, dimensions: u8) -> String {
    let name = ["x", "y", "z"][index];
    match usize::from(dimensions) {
        1 => name.to_owned(),
        used => format!("{name} (dimension {} of a sycl::nd_range)", used.saturating_sub(index + 1)),
    }
}

/// Checks a group size against global size and device.
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

/// Checks that only the dimensions of the launch have sizes.
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

/// The shape to run.
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
