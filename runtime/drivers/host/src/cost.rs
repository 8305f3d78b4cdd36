//! Estimates the run time of a kernel's work-items.
//!
//! In: measured runs. Out: an estimate of the next run, from which the queue decides whether
//! splitting it pays. *Invariant:* an estimate only decides where work runs, never what it
//! computes. Races between threads lose a sample, nothing else.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Picoseconds per work-item; 0 before the first measurement.
#[derive(Debug, Default)]
pub(crate) struct Cost(AtomicU64);

impl Cost {
    /// Expected time of `items` work-items on one thread, if any were measured.
    pub(crate) fn estimate(&self, items: u64) -> Option<Duration> {
        let each = self.0.load(Ordering::Relaxed);
        (each > 0).then(|| Duration::from_nanos(each.saturating_mul(items) / 1000))
    }

    /// Updates the estimate with a measurement.
    ///
    /// A thread that is descheduled during a short run seems slow by orders of magnitude, so an
    /// estimate rises at most fourfold at a time. It falls quickly, because nothing makes a run
    /// seem too fast.
    pub(crate) fn learn(&self, items: u64, taken: Duration) {
        if items == 0 {
            return;
        }
        // No overflow matters: 2^64 nanoseconds are centuries, and a saturated product is long in
        // any case.
        let sample = ((taken.as_nanos() as u64).saturating_mul(1000) / items).max(1);
        let old = self.0.load(Ordering::Relaxed);
        let new = match old {
            0 => sample,
            _ if sample > old => sample.min(old.saturating_mul(4)),
            _ => old / 2 + sample / 2,
        };
        if new != old {
            self.0.store(new.max(1), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_does_not_decide() {
        let cost = Cost::default();
        assert_eq!(cost.estimate(10), None);
        cost.learn(1000, Duration::from_micros(1));
        assert_eq!(cost.estimate(1_000_000), Some(Duration::from_millis(1)));
        cost.learn(1000, Duration::from_millis(10));
        assert!(cost.estimate(1_000_000).is_some_and(|estimate| estimate < Duration::from_millis(5)));
        for _ in 0..40 {
            cost.learn(1000, Duration::from_millis(10));
        }
        assert!(cost.estimate(1000).is_some_and(|estimate| estimate > Duration::from_millis(9)));
    }
}
