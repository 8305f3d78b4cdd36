//! The number of kernels that a process may still prepare ahead.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

/// The rest of the number.
pub(super) struct Budget(AtomicUsize);

impl Budget {
    pub(super) fn new(kernels: usize) -> Self {
        Budget(AtomicUsize::new(kernels))
    }

    /// Takes as many as there are, at most `wanted`.
    pub(super) fn take(&self, wanted: usize) -> usize {
        let taken = |left: usize| left.min(wanted);
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left - taken(left)));
        before.map_or(0, taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let budget = Budget::new(5);
        assert_eq!([3, 4, 1].map(|wanted| budget.take(wanted)), [3, 2, 0]);
    }
}
