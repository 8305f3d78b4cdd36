//! Turns the size of a launch into a shape that the device can run.
//!
//! In: what the program asked for. Out: a complete shape, or that there is nothing to run. *Invariant:* every number of a
//! resolved shape is at least 1, a group size that was given divides the global size, and no product overflows.
#![forbid(unsafe_code)]

use crate::{
    devices::{DeviceEntry, Limits},
    error::RuntimeError,
};
use sinter_core::LaunchShape;

/// What the program asked for. Index 0 is x, the fastest dimension; unused dimensions are 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchSize {
    /// Dimensions, 1 to 3. Code may be compiled for them, so the sizes of the others must be 1.
    pub dimensions: u8,
    /// Work-items.
    pub global: [u64; 3],
    /// Work-items per group; `None` leaves the choice to the device.
    pub group: Option<[u32; 3]>,
    /// Dynamic local memory per group in bytes.
    pub local_memory: u32,
}

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
    if u64::from(local_memory) > device.limits.local_memory {
        let limit = device.limits.local_memory;
        return Err(refuse(device, format!("{local_memory} bytes of local memory exceed the device's {limit}")));
    }
    let group = match group {
        Some(group) => check_group(device, global, group).map(|()| group)?,
        None => device.device.choose_group_size(global),
    };
    let shape = LaunchShape { global, group, local_memory };
    if shape.items().is_none() {
        return Err(refuse(device, format!("the global size {global:?} has more than 2^64 work-items")));
    }
    Ok(Resolved::Shape(shape))
}
