//! The condition under which a launch runs code for values.
//!
//! In: arguments and their values. Out: true for a launch with these values. *Invariant:* the
//! values that code is compiled for are those that its guard compares, so that no launch runs code
//! for other values.
#![forbid(unsafe_code)]

use super::leaf::Leaf;
use crate::registry::descriptor::Descriptor;
use sinter_core::ConstantValue;
use std::fmt;

/// Arguments with the values that code is compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guard(Box<[(Leaf, u64)]>);

impl Guard {
    /// The guard for the values that arguments have in a block.
    pub(super) fn of(leaves: impl Iterator<Item = Leaf>, block: &[u8]) -> Self {
        Guard(leaves.map(|leaf| (leaf, leaf.bits(block))).collect())
    }

    /// The guard for values of a kernel's arguments, if they have the types of the values.
    pub(super) fn of_values(kernel: &Descriptor<'_>, values: &[(u32, ConstantValue)]) -> Option<Self> {
        let pair = |(parameter, value): &(u32, ConstantValue)| {
            let leaf = Leaf::of(*parameter, kernel.parameters.get(*parameter as usize)?)?;
            let bits = value.bits()?;
            (leaf.literal(bits) == *value).then_some((leaf, bits))
        };
        Some(Guard(values.iter().map(pair).collect::<Option<_>>()?))
    }

    /// True if the arguments have these values in a block of the kernel's size.
    #[inline]
    pub(super) fn holds(&self, block: &[u8]) -> bool {
        self.0.iter().all(|(leaf, bits)| leaf.bits(block) == *bits)
    }

    /// The values, by index of the parameter record.
    pub(super) fn arguments(&self) -> Vec<(u32, ConstantValue)> {
        self.0.iter().map(|(leaf, bits)| (leaf.parameter, leaf.literal(*bits))).collect()
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (leaf, bits)) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}argument {} is {bits}", leaf.parameter)?;
        }
        Ok(())
    }
}
