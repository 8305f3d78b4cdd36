//! Limits repeated messages about the same condition.
//!
//! *Invariant:* the first message is shown, then at most one per pause. Pauses double while the
//! condition lasts. They are reset once no thread is affected any more, so that the next occurrence
//! is reported soon.
#![forbid(unsafe_code)]

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Minimum time between the first two messages.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Upper bound on the pause between two messages.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
struct State {
    /// Time of the last message, and the pause after it.
    last: Option<(Instant, Duration)>,
    concerned: usize,
}

/// Messages about one condition.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<State>);

/// A thread that is affected by the condition, until this is dropped.
#[derive(Debug)]
pub(crate) struct Concern<'a>(&'a Throttle);

impl Drop for Concern<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.concerned -= 1;
        if state.concerned == 0 {
            state.last = state.last.map(|(shown, _)| (shown, FIRST_PAUSE));
        }
    }
}

impl Throttle {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an affected thread.
    pub(crate) fn concern(&self) -> Concern<'_> {
        self.state().concerned += 1;
        Concern(self)
    }

    /// True if a message may be shown now; counts it as shown.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        let last = &mut self.state().last;
        let pause = match *last {
            Some((shown, pause)) if now.saturating_duration_since(shown) < pause => return false,
            Some((_, pause)) => (pause * 2).min(LONGEST_PAUSE),
            None => FIRST_PAUSE,
        };
        *last = Some((now, pause));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        let shown = (0..200).filter(|second| throttle.allows(start + Duration::from_secs(*second)));
        assert_eq!(shown.collect::<Vec<_>>(), [0, 5, 15, 35, 75, 135, 195]);
    }
    #[test]
    fn pauses_are_short_again_once_nobody_is_concerned() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        let allows = |second| throttle.allows(start + Duration::from_secs(second));
        let (first, second) = (throttle.concern(), throttle.concern());
        assert_eq!((0..80).filter(|second| allows(*second)).count(), 5);
        drop(first);
        assert!((80..135).all(|second| !allows(second)), "it goes on for the other");
        assert!(allows(135));
        drop(second);
        let shown = (136..156).filter(|second| allows(*second));
        assert_eq!(shown.collect::<Vec<_>>(), [140, 150]);
    }
}
