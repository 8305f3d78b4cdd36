//! The end of a piece of work, for which other threads wait.
//!
//! In: the end. Out: true once it was reached. *Invariant:* nothing here allocates, because Rust
//! and the C library end a process in which memory runs out while a thread waits.
#![forbid(unsafe_code)]

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

/// Not reached at first, reached for good afterwards.
#[derive(Default)]
pub(super) struct End {
    is_reached: Mutex<bool>,
    reached: Condvar,
}

/// Reaches the end on drop, so also if the work panics.
pub(super) struct AtDrop<'a>(&'a End);

impl Drop for AtDrop<'_> {
    fn drop(&mut self) {
        self.0.reach();
    }
}

impl End {
    /// Wakes all threads that wait.
    pub(super) fn reach(&self) {
        *self.is_reached.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.reached.notify_all();
    }

    /// A value that reaches the end when it is dropped.
    pub(super) fn at_drop(&self) -> AtDrop<'_> {
        AtDrop(self)
    }

    /// Waits for `time` at most. True if the end was reached.
    pub(super) fn comes_within(&self, time: Duration) -> bool {
        let is_reached = self.is_reached.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.reached.wait_timeout_while(is_reached, time, |is_reached| !*is_reached);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
