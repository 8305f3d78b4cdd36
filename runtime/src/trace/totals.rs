//! Sums up the times of kernels on their devices.
//!
//! In: kernels that have run. Out: count, sum, minimum and maximum of each, for the report.
#![forbid(unsafe_code)]

use crate::forks::ForkSafe;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Times of a kernel, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) runs: u64,
    pub(crate) sum: u64,
    pub(crate) least: u64,
    pub(crate) most: u64,
}

/// Readable name of a kernel, and its device.
type Command = (Arc<str>, Arc<str>);

/// Times by kernel and device.
#[derive(Default)]
pub(crate) struct Totals(ForkSafe<Mutex<BTreeMap<Command, Total>>>);

impl Totals {
    fn with<R>(&self, work: impl FnOnce(&mut BTreeMap<Command, Total>) -> R) -> R {
        self.0.with(|totals| work(&mut totals.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Adds a run.
    pub(crate) fn add(&self, kernel: &Arc<str>, device: &Arc<str>, time: u64) {
        self.with(|totals| {
            let none = Total { runs: 0, sum: 0, least: u64::MAX, most: 0 };
            let total = totals.entry((Arc::clone(kernel), Arc::clone(device))).or_insert(none);
            total.runs += 1;
            total.sum += time;
            total.least = total.least.min(time);
            total.most = total.most.max(time);
        });
    }

    /// All kernels, those that took longest first.
    pub(crate) fn sorted(&self) -> Vec<(Command, Total)> {
        let mut all: Vec<_> = self.with(|totals| totals.iter().map(|(name, total)| (name.clone(), *total)).collect());
        all.sort_by_key(|(_, total)| std::cmp::Reverse(total.sum));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_that_took_longest_come_first() {
        let totals = Totals::default();
        for (kernel, time) in [("a", 5), ("b", 9), ("a", 3)] {
            totals.add(&kernel.into(), &"cpu".into(), time);
        }
        let total =
            |name: &str, runs, sum, least, most| ((name.into(), "cpu".into()), Total { runs, sum, least, most });
        assert_eq!(totals.sorted(), [total("b", 1, 9, 9, 9), total("a", 2, 8, 3, 5)]);
    }
}
