//! Runs a periodic action during a long piece of work.
//!
//! *Invariant:* the thread of the action ends with the work, even if that panics, so that no thread
//! outlives a call into this library.
#![forbid(unsafe_code)]

use super::end::End;
use std::{
    thread,
    time::{Duration, Instant},
};

/// Runs `work`. Until it returns, another thread calls `tick` every `period` with the elapsed time.
pub(crate) fn during<R>(period: Duration, tick: impl FnMut(Duration) + Send, work: impl FnOnce() -> R) -> R {
    let end = End::default();
    thread::scope(|scope| {
        // If the thread cannot be started, the work runs without ticks.
        let builder = thread::Builder::new().name("sinter-watch".to_owned());
        let _ = sinter_signals::while_starting_threads(|| builder.spawn_scoped(scope, || until(&end, period, tick)));
        let _end = end.at_drop();
        work()
    })
}

/// Calls `tick` every `period` with the elapsed time until the end.
pub(super) fn until(end: &End, period: Duration, mut tick: impl FnMut(Duration)) {
    let start = Instant::now();
    while !end.comes_within(period) {
        tick(start.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicUsize, Ordering},
    };

    const PERIOD: Duration = Duration::from_millis(5);

    #[test]
    fn short_work_is_not_watched() {
        let ticks = AtomicUsize::new(0);
        let count = |_| {
            ticks.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(during(Duration::from_secs(60), count, || 7), 7);
        assert_eq!(ticks.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn long_work_is_watched_until_it_ends() {
        let ticks = AtomicUsize::new(0);
        let count = |elapsed| {
            assert!(elapsed >= PERIOD);
            ticks.fetch_add(1, Ordering::Relaxed);
        };
        during(PERIOD, count, || while ticks.load(Ordering::Relaxed) < 3 {});
        let after = ticks.load(Ordering::Relaxed);
        thread::sleep(4 * PERIOD);
        assert_eq!(ticks.load(Ordering::Relaxed), after);
    }

    #[test]
    fn work_that_panics_ends_the_watch() {
        let work = || during(PERIOD, |_| {}, || panic!("deliberate"));
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
    }
}
