//! Times of the last runs of a kernel.
//!
//! In: runs that a driver has timed. Out: the usual time of a work-item. *Invariant:* a meter says
//! which of two codes is faster, and nothing else depends on it. Threads that note runs at the same
//! time lose some.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Number of runs that a meter keeps.
pub const RUNS: usize = 16;

/// Picoseconds of a work-item in the last runs. 0 is a run to come.
#[derive(Debug, Default)]
pub struct Meter {
    runs: [AtomicU64; RUNS],
    noted: AtomicU64,
}

impl Meter {
    /// Notes a run of some work-items. Its time is summed over the threads that ran it.
    pub fn note(&self, items: u64, taken: Duration) {
        if items == 0 {
            return;
        }
        let each = ((taken.as_nanos() as u64).saturating_mul(1000) / items).max(1);
        let place = self.noted.fetch_add(1, Ordering::Relaxed) as usize % RUNS;
        self.runs[place].store(each, Ordering::Relaxed);
    }

    /// Picoseconds of a work-item: the lower quartile, because other work on the machine makes runs
    /// longer and never shorter. `None` before there are enough runs.
    pub fn usual(&self) -> Option<u64> {
        let runs = self.kept();
        (runs.len() == RUNS).then(|| runs[RUNS / 4])
    }

    /// Number of runs that were noted.
    pub fn noted(&self) -> u64 {
        self.noted.load(Ordering::Relaxed)
    }

    /// Picoseconds of a work-item in the runs that are kept, the fastest first.
    pub fn kept(&self) -> Vec<u64> {
        let count = (self.noted() as usize).min(RUNS);
        let mut runs: Vec<u64> = self.runs[..count].iter().map(|run| run.load(Ordering::Relaxed)).collect();
        runs.sort_unstable();
        runs
    }

    /// Forgets all runs.
    pub fn restart(&self) {
        self.noted.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_quartile_of_the_last_runs_counts() {
        let meter = Meter::default();
        (0..100).for_each(|_| meter.note(0, Duration::from_secs(1)));
        for run in 0..RUNS as u64 - 1 {
            meter.note(1000, Duration::from_micros(if run % 3 == 0 { 5 } else { 900 }));
            assert_eq!(meter.usual(), None);
        }
        meter.note(1000, Duration::from_micros(5));
        assert_eq!(meter.usual(), Some(5000), "slow runs do not decide");
        (0..RUNS).for_each(|_| meter.note(10, Duration::from_micros(1)));
        assert_eq!(meter.usual(), Some(100_000));
        meter.restart();
        assert_eq!(meter.usual(), None);
    }
}
