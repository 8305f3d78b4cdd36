//! The index space of one launch.

/// The index space of one launch. Index 0 is x, the fastest dimension; unused dimensions are 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaunchShape {
    /// Work-items per dimension.
    pub global: [u64; 3],
    /// Work-items per work-group and dimension. Where it does not divide `global`, the last group is smaller.
    pub group: [u32; 3],
    /// Dynamically sized local memory per work-group, in bytes.
    pub local_memory: u32,
}

impl LaunchShape {
    /// Work-groups per dimension, rounded up.
    pub fn group_count(&self) -> [u64; 3] {
        std::array::from_fn(|d| self.global[d].div_ceil(u64::from(self.group[d].max(1))))
    }

    /// Number of work-groups; `None` if it exceeds 64 bits.
    pub fn groups(&self) -> Option<u64> {
        self.group_count().into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// Number of work-items; `None` if it exceeds 64 bits.
    pub fn items(&self) -> Option<u64> {
        self.global.into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// Whether every global id and size is below 2^31.
    pub fn fits_i32(&self) -> bool {
        self.items().is_some_and(|items| items <= i32::MAX as u64)
    }
}
