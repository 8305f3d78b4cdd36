//! The index space of one launch.

/// Maximum work-group size in work-items where a program chooses it.
pub const LARGEST_GROUP: u64 = 1024;

/// Resolved index space of a launch. Index 0 is x, the fastest dimension; unused dimensions are 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaunchShape {
    /// Work-items per dimension.
    pub global: [u64; 3],
    /// Work-items per work-group in each dimension. If it does not divide `global`, the last group
    /// is smaller.
    pub group: [u32; 3],
    /// Dynamic local memory per work-group, in bytes.
    pub local_memory: u32,
}

impl LaunchShape {
    /// Work-groups per dimension, rounded up. Avoids the division where the size is 1, because it
    /// would take longer than the rest of a launch's arithmetic.
    #[inline]
    pub fn group_count(&self) -> [u64; 3] {
        let count = |global: u64, group: u32| if group <= 1 { global } else { global.div_ceil(u64::from(group)) };
        std::array::from_fn(|d| count(self.global[d], self.group[d]))
    }

    /// The same groups as rows of work-items along x.
    pub fn flat(&self) -> Self {
        let ([x, y, z], items) = (self.group_count(), self.group.into_iter().fold(1u32, u32::saturating_mul));
        LaunchShape { global: [x.saturating_mul(items.into()), y, z], group: [items, 1, 1], ..*self }
    }

    /// Number of work-groups; `None` if it exceeds 64 bits.
    pub fn groups(&self) -> Option<u64> {
        self.group_count().into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// Number of work-items; `None` if it exceeds 64 bits.
    pub fn items(&self) -> Option<u64> {
        self.global.into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// True if every global id and size is below 2^31, including those of inactive items that pad
    /// the last work-group of a dimension.
    pub fn fits_i32(&self) -> bool {
        self.items().is_some_and(|items| items <= i32::MAX as u64 - LARGEST_GROUP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_groups_have_as_many_items() {
        let shape = LaunchShape { global: [12, 10, 6], group: [4, 5, 3], local_memory: 7 };
        let flat = LaunchShape { global: [180, 2, 2], group: [60, 1, 1], local_memory: 7 };
        assert_eq!((shape.flat(), flat.flat()), (flat, flat));
    }

    #[test]
    fn ids_behind_the_end_count_as_well() {
        let fits = |global| LaunchShape { global, group: [1; 3], local_memory: 0 }.fits_i32();
        let most = i32::MAX as u64;
        assert!(fits([most - 1024, 1, 1]) && fits([1 << 20, 1 << 10, 1]));
        assert!(!fits([most - 1023, 1, 1]) && !fits([most, 1, 1]) && !fits([1 << 20, 1 << 11, 1]));
        assert!(!fits([u64::MAX, 2, 1]));
    }
}
