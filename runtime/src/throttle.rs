//! Decides which of many messages about the same thing are shown.
//!
//! *Invariant:* the first is, and then one at most in each pause; pauses double, so that what goes on for long says little.
#![forbid(unsafe_code)]

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Time between the first two messages.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Time between two messages at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// When the last message was shown, and how long the pause behind it is.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<Option<(Instant, Duration)>>);

impl Throttle {
    /// Whether a message is to be shown now, which is taken to happen.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
}
