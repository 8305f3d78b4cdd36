//! Decides which of many messages about the same thing are shown.
//!
//! *Invariant:* the first is, and then one at most in each pause; pauses double while the thing goes on, so that what goes on
//! for long says little, and are short again once nobody is concerned any more: the next thing that takes long is told of soon.
#![forbid(unsafe_code)]

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Time between the first two messages.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Time between two messages at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
struct State {
    /// When the last message was shown, and how long the pause behind it is.
    last: Option<(Instant, Duration)>,
    concerned: usize,
}

/// Messages about one thing.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<State>);

/// Somebody to whom the thing happens, until this is dropped.
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

    /// One more to whom it happens.
    pub(crate) fn concern(&self) -> Concern<'_> {
        self.state().concerned += 1;
        Concern(self)
    }

    /// Whether a message is to be shown now, which is taken to happen.
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
