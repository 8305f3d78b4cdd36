//! Sizes of launches, as programs give them.
//!
//! *Invariant:* a dimension that a launch does not have is 1.
#![forbid(unsafe_code)]

/// The size that the program asked for. Index 0 is x, the fastest dimension; unused dimensions are 1.
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
fn fill<T: Copy, const D: usize>(sizes: [T; D], one: T) -> [T; 3] {
    const { assert!(D >= 1 && D <= 3, "a launch has 1 to 3 dimensions") };
    std::array::from_fn(|d| if d < D { sizes[d] } else { one })
}

impl LaunchSize {
    /// A range of work-items, x (the fastest dimension) first. The device chooses the work-group size.
    ///
    /// ```
    /// let size = sinter_program::LaunchSize::range([1920, 1080]).with_groups([16, 8]);
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
