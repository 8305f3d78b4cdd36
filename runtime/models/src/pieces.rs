//! Models of the division of a launch among threads.

use crate::{explore, slots::Slots};
use loom::thread;
use std::sync::Arc;

/// Two threads claim slots and take pieces. Each unit is taken once.
pub fn each_unit_runs_once() {
    const UNITS: u64 = 3;
    explore(|| {
        let slots = Arc::new(Slots::new(0, UNITS, 2, 1));
        let work = |slots: &Slots| {
            let slot = (0..slots.count()).find(|slot| slots.claim(*slot)).expect("a slot for each thread");
            let mut taken = Vec::new();
            while let Some((first, last)) = slots.next(slot) {
                taken.extend(first..last);
            }
            (slot, taken)
        };
        let other = {
            let slots = Arc::clone(&slots);
            thread::spawn(move || work(&slots))
        };
        let (slot, mut taken) = work(&slots);
        let (others, rest) = other.join().expect("no panic");
        assert_ne!(slot, others, "two threads have one slot");
        taken.extend(rest);
        taken.sort_unstable();
        assert_eq!(taken, (0..UNITS).collect::<Vec<_>>(), "units");
    });
}
