//! Runs a piece of work once per key, however many threads ask for it at the same time.
//!
//! *Invariant:* the work runs without any lock held, so that different keys proceed in parallel. If
//! the work panics, one of the waiters takes the key over. Only waiters receive the result. The
//! caller must store it inside the work, so that a thread that comes later finds it. A child
//! process waits for no thread of its parent.
#![forbid(unsafe_code)]

use crate::{
    forks::{self, ForkSafe},
    sync::{Condvar, Map, MapEntry, Mutex},
};
use std::{
    hash::Hash,
    sync::{Arc, PoisonError},
};

enum State<V> {
    Running,
    Done(V),
    Abandoned,
}

struct Flight<V> {
    /// The process that it belongs to.
    generation: u64,
    state: Mutex<State<V>>,
    landed: Condvar,
}

impl<V: Clone> Flight<V> {
    fn settle(&self, state: State<V>) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.landed.notify_all();
    }

    /// Waits for the leader's result; `None` if it panicked.
    fn wait(&self) -> Option<V> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*state {
                State::Running => state = self.landed.wait(state).unwrap_or_else(PoisonError::into_inner),
                State::Done(value) => return Some(value.clone()),
                State::Abandoned => return None,
            }
        }
    }
}

/// Deduplicates concurrent work by key.
pub struct SingleFlight<K: Eq + Hash, V> {
    flights: ForkSafe<Map<K, Arc<Flight<V>>>>,
}

/// Ends a flight on drop, so also if its leader panics.
struct Landing<'a, K: Eq + Hash, V: Clone> {
    owner: &'a SingleFlight<K, V>,
    key: K,
    flight: Arc<Flight<V>>,
    value: Option<V>,
}

impl<K: Eq + Hash, V: Clone> Drop for Landing<'_, K, V> {
    fn drop(&mut self) {
        self.owner.flights.with(|flights| flights.remove(&self.key));
        self.flight.settle(self.value.take().map_or(State::Abandoned, State::Done));
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Default for SingleFlight<K, V> {
    fn default() -> Self {
        SingleFlight { flights: ForkSafe::new(Map::new()) }
    }
}

impl<K: Eq + Hash + Clone, V: Clone> SingleFlight<K, V> {
    /// Runs `work`, or waits for the thread that runs it for the same key.
    pub fn run(&self, key: &K, work: impl FnOnce() -> V) -> V {
        loop {
            match self.join(key) {
                Ok(mut landing) => {
                    let value = work();
                    landing.value = Some(value.clone());
                    return value;
                }
                Err(flight) => match flight.wait() {
                    Some(value) => return value,
                    None => continue,
                },
            }
        }
    }

    /// True if a thread of this process runs the work of a key.
    pub fn has(&self, key: &K) -> bool {
        let generation = forks::generation();
        self.flights.with(|flights| flights.get(key).is_some_and(|flight| flight.generation == generation))
    }

    /// Starts a flight, or joins the one in progress.
    fn join(&self, key: &K) -> Result<Landing<'_, K, V>, Arc<Flight<V>>> {
        let generation = forks::generation();
        let start = || {
            let flight = Flight { generation, state: Mutex::new(State::Running), landed: Condvar::new() };
            Arc::new(flight)
        };
        let flight = self.flights.with(|flights| match flights.entry(key.clone()) {
            MapEntry::Occupied(existing) if existing.get().generation == generation => Err(Arc::clone(existing.get())),
            MapEntry::Occupied(mut inherited) => {
                let flight = start();
                inherited.insert(Arc::clone(&flight));
                Ok(flight)
            }
            MapEntry::Vacant(vacant) => Ok(Arc::clone(&vacant.insert(start()))),
        })?;
        Ok(Landing { owner: self, key: key.clone(), flight, value: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::{
            Barrier,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
        time::Duration,
    };

    #[test]
    fn one_run_serves_everyone_who_waits() {
        let (flights, runs, start) = (SingleFlight::default(), AtomicUsize::new(0), Barrier::new(8));
        let work = || {
            thread::sleep(Duration::from_millis(50));
            runs.fetch_add(1, Ordering::Relaxed)
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    assert_eq!(flights.run(&1, work), 0);
                });
            }
        });
        assert_eq!(runs.load(Ordering::Relaxed), 1);
        assert!(flights.flights.with(Map::is_empty));
    }

    #[test]
    fn different_keys_run_at_the_same_time() {
        let (flights, both) = (SingleFlight::default(), Barrier::new(2));
        thread::scope(|scope| {
            for key in 0..2 {
                let (flights, both) = (&flights, &both);
                scope.spawn(move || flights.run(&key, || both.wait().is_leader()));
            }
        });
    }

    #[test]
    fn a_waiter_takes_over_after_a_panic() {
        let (flights, entered) = (SingleFlight::default(), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                let fail = || -> u32 {
                    entered.wait();
                    thread::sleep(Duration::from_millis(20));
                    panic!("deliberate")
                };
                assert!(catch_unwind(AssertUnwindSafe(|| flights.run(&1, fail))).is_err());
            });
            entered.wait();
            assert_eq!(flights.run(&1, || 7), 7);
        });
    }
}
