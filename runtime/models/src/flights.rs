//! Models of the single flight.

use crate::{code::single_flight::SingleFlight, explore};
use loom::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// Work that stores its result, as its caller has to, and counts its runs.
#[derive(Default)]
struct Work {
    flights: SingleFlight<u8, usize>,
    stored: AtomicUsize,
    runs: AtomicUsize,
}

impl Work {
    fn result(&self) -> usize {
        match self.stored.load(Ordering::Acquire) {
            0 => self.flights.run(&1, || self.made()),
            stored => stored,
        }
    }

    fn made(&self) -> usize {
        let stored = self.stored.load(Ordering::Acquire);
        if stored == 0 {
            self.runs.fetch_add(1, Ordering::Relaxed);
            self.stored.store(7, Ordering::Release);
        }
        7
    }
}

/// Three threads want one result. One does the work, and all get it.
pub fn one_works() {
    explore(|| {
        let work = Arc::new(Work::default());
        let others = [(); 2].map(|()| {
            let work = Arc::clone(&work);
            thread::spawn(move || assert_eq!(work.result(), 7))
        });
        assert_eq!(work.result(), 7);
        others.into_iter().for_each(|other| other.join().expect("no panic"));
        assert_eq!(work.runs.load(Ordering::Relaxed), 1, "runs");
    });
}

/// The thread that does the work panics. Others do it.
pub fn another_works_after_a_panic() {
    explore(|| {
        let flights = Arc::new(SingleFlight::<u8, usize>::default());
        let panics = {
            let flights = Arc::clone(&flights);
            let fail = move || flights.run(&1, || std::panic::resume_unwind(Box::new("deliberate")));
            thread::spawn(move || drop(catch_unwind(AssertUnwindSafe(fail))))
        };
        let works = {
            let flights = Arc::clone(&flights);
            thread::spawn(move || assert_eq!(flights.run(&1, || 7), 7))
        };
        assert_eq!(flights.run(&1, || 7), 7);
        panics.join().expect("it catches its own panic");
        works.join().expect("no panic");
    });
}
