//! Turns the size of a launch into a shape that the device can run.
//!
//! In: what the program asked for. Out: a shape, or that there is nothing to run. *Invariant:* every number of a resolved shape
//! is at least 1, but for a work-group size that is left open, which is `OPEN` until the kernel is known; one that was given
//! divides the global size, and no product overflows. Local memory is checked where the kernel is known, because it declares
//! some itself.
#![forbid(unsafe_code)]

use crate::{
    devices::{DeviceEntry, Limits},
    error::RuntimeError,
};
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

#[cold]
fn refuse(device: &DeviceEntry, reason: String) -> RuntimeError {
    RuntimeError::Launch { what: format!("a kernel on {}", device.device.info().name), reason }
}

/// Checks a group size against global size and device.
fn check_group(device: &DeviceEntry, global: [u64; 3], group: [u32; 3]) -> Result<(), RuntimeError> {
    let Limits { group: most, sizes, .. } = device.limits;
    let wide = group.map(u64::from);
    for dimension in 0..3 {
        let (items, all) = (wide[dimension], global[dimension]);
        if items == 0 || (items != 1 && all % items != 0) {
            let name = ["x", "y", "z"][dimension];
            return Err(refuse(
                device,
                format!("the group size {items} does not divide the global size {all} in {name}"),
            ));
        }
        if items > sizes[dimension] {
            let (name, limit) = (["x", "y", "z"][dimension], sizes[dimension]);
            return Err(refuse(device, format!("the group size {items} in {name} exceeds the device's {limit}")));
        }
    }
    let items = wide[0].saturating_mul(wide[1]).saturating_mul(wide[2]);
    if items > most {
        return Err(refuse(device, format!("a work-group of {items} items exceeds the device's {most}")));
    }
    Ok(())
}

/// Checks that only the dimensions of the launch have sizes.
fn check_dimensions(size: &LaunchSize) -> Result<(), RuntimeError> {
    let used = usize::from(size.dimensions);
    if !(1..=3).contains(&used) {
        return Err(RuntimeError::invalid("launch", format!("dimensions is {used}, not 1 to 3")));
    }
    let group = size.group.unwrap_or([1; 3]);
    if size.global[used..].iter().any(|items| *items != 1) || group[used..].iter().any(|items| *items != 1) {
        return Err(RuntimeError::invalid("launch", "the sizes of unused dimensions must be 1"));
    }
    Ok(())
}

/// The shape to run.
pub fn resolve(size: &LaunchSize, device: &DeviceEntry) -> Result<Resolved, RuntimeError> {
    check_dimensions(size)?;
    let LaunchSize { dimensions: _, global, group, local_memory } = *size;
    if global.contains(&0) {
        return Ok(Resolved::Nothing);
    }
    let group = match group {
        Some(group) => check_group(device, global, group).map(|()| group)?,
        None => OPEN,
    };
    let shape = LaunchShape { global, group, local_memory };
    if shape.items().is_none() {
        return Err(refuse(device, format!("the global size {global:?} has more than 2^64 work-items")));
    }
    Ok(Resolved::Shape(shape))
}
