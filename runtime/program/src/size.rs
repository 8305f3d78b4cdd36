//! Sizes of launches.
//!
//! *Invariant:* sizes in unused dimensions are 1.
#![forbid(unsafe_code)]

/// Requested size of a launch. Index 0 is x, the fastest dimension; unused dimensions are 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchSize {
    /// Number of dimensions, 1 to 3. Code may be compiled for it, so the sizes in other dimensions
    /// must be 1.
    pub dimensions: u8,
    /// Number of work-items.
    pub global: [u64; 3],
    /// Work-group size; `None` leaves the choice to the device.
    pub group: Option<[u32; 3]>,
    /// Dynamic local memory per work-group in bytes.
    pub local_memory: u32,
}

/// Pads the sizes of a launch with `D` dimensions to three.
fn fill<T: Copy, const D: usize>(sizes: [T; D], one: T) -> [T; 3] {
    const { assert!(D >= 1 && D <= 3, "a launch has 1 to 3 dimensions") };
    std::array::from_fn(|d| if d < D { sizes[d] } else { one })
}

impl LaunchSize {
    /// A range of work-items, x (the fastest dimension) first. The device chooses the work-group
    /// size.
    ///
    /// ```
    /// let size = sinter_program::LaunchSize::range([1920, 1080]).with_groups([16, 8]);
    /// assert_eq!((size.dimensions, size.global), (2, [1920, 1080, 1]));
    /// assert_eq!(size.group, Some([16, 8, 1]));
    /// ```
    pub fn range<const D: usize>(global: [u64; D]) -> Self {
        LaunchSize { dimensions: D as u8, global: fill(global, 1), group: None, local_memory: 0 }
    }

    /// Sets the work-group size, which must divide the range.
    #[must_use]
    pub fn with_groups<const D: usize>(self, group: [u32; D]) -> Self {
        LaunchSize { group: Some(fill(group, 1)), ..self }
    }

    /// Sets the dynamic local memory per work-group, in addition to what the kernel declares.
    #[must_use]
    pub fn with_local_memory(self, bytes: u32) -> Self {
        LaunchSize { local_memory: bytes, ..self }
    }
}
