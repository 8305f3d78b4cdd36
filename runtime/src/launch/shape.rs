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

/// A work-group size that the program leaves open.
pub(super) const OPEN: [u32; 3] = [0; 3];

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

/// The three sizes of a launch with `D` dimensions.
fn fill<T, const D: usize>(sizes: [T; D], one: T) -> [T; 3]
where
    T: Copy,
{
    const { assert!(D >= 1 && D <= 3, "a launch has 1 to 3 dimensions") };
    std::array::from_fn(|d| if d < D { sizes[d] } else { one })
}

impl LaunchSize {
    /// A range of work-items, x (the fastest dimension) first. The device chooses the work-group size.
    ///
    /// ```
    /// let size = sinter::LaunchSize::range([1920, 1080]).with_groups([16, 8]);
    /// assert_eq!((size.dimensions, size.global, size.group), (2, [1920, 1080, 1], Some([16, 8, 1])));
    /// ```
    pub fn range<const D: usize>(global: [u64; D]) -> Self {
        LaunchSize { dimensions: D as u8, global: fill(global, 1), group: None, local_memory: 0 }
    }

    /// The same range in work-groups of this size, which divides it.
    #[must_use]
    pub fn with_groups<const D: usize>(self, group: [u32; D]) -> Self {
        LaunchSize { group: Some(fill(group, 1)), ..self }
    }

    /// The same launch with so many bytes of local memory per work-group, beside what the kernel declares.
    #[must_use]
    pub fn with_local_memory(self, bytes: u32) -> Self {
        LaunchSize { local_memory: bytes, ..self }
    }
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
