//! Lets launches wait for work of the background, as long as that gets a CPU.
//!
//! In: work by key, on threads some of which run only where a CPU is idle. Out: the end of that
//! work, or the observation that its thread does not run. *Invariant:* on a busy machine a launch
//! waits for [`STEP`] times [`STALLS`] at most. A launch that waits leaves its CPU to the work, so
//! that this runs unless other programs want the CPU. A child process waits for no thread of its
//! parent.
#![forbid(unsafe_code)]

use super::end::End;
use crate::{
    forks::{self, ForkSafe},
    system,
};
use dashmap::DashMap;
use sinter_core::CacheKey;
use std::{
    cell::RefCell,
    mem::ManuallyDrop,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    time::Duration,
};

/// The time after which a waiting launch looks at the work again.
const STEP: Duration = Duration::from_millis(4);
/// Part of a step that a thread has to run in.
const LEAST: Duration = Duration::from_millis(1);
/// Steps in a row in which a thread may stand still.
const STALLS: u32 = 2;

/// Work that is being done.
struct Pulse {
    /// The process that it belongs to.
    generation: u64,
    /// Clock of the thread that does it.
    clock: AtomicI32,
    end: End,
}

thread_local! {
    /// The work that the thread does. Never dropped with the thread, so that it has no destructor:
    /// kernels are translated after destructors of the program's thread, too.
    static OWN: RefCell<ManuallyDrop<Option<Arc<Pulse>>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

fn set_own(pulse: Option<Arc<Pulse>>) {
    drop(ManuallyDrop::into_inner(OWN.replace(ManuallyDrop::new(pulse))));
}

/// The work of a thread, to be passed to another thread that goes on with it.
pub(super) struct Baton(Option<Arc<Pulse>>);

impl Baton {
    /// The work of the calling thread.
    pub(super) fn own() -> Self {
        Baton(OWN.with_borrow(|own| Option::clone(own)))
    }

    /// From now on the calling thread does the work.
    pub(super) fn take(&self) {
        if let Some(pulse) = &self.0 {
            pulse.clock.store(system::thread_clock(), Ordering::Relaxed);
        }
    }
}

/// Work of the background, by key.
#[derive(Default)]
pub(super) struct Pulses(ForkSafe<DashMap<CacheKey, Arc<Pulse>>>);

/// Ends the work on drop, so also if it panics.
struct Ending<'a>(&'a Pulses, CacheKey, Arc<Pulse>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let Ending(pulses, key, pulse) = self;
        set_own(None);
        pulses.0.with(|pulses| pulses.remove_if(key, |_, other| Arc::ptr_eq(other, pulse)));
        pulse.end.reach();
    }
}

impl Pulse {
    /// Clock and CPU time of the thread that does the work.
    fn time(&self) -> (i32, Duration) {
        let clock = self.clock.load(Ordering::Relaxed);
        (clock, system::cpu_time(clock).unwrap_or_default())
    }
}

/// True if a thread ran between two observations, or another one went on with its work.
fn ran(before: (i32, Duration), after: (i32, Duration)) -> bool {
    before.0 != after.0 || after.1.saturating_sub(before.1) >= LEAST
}

impl Pulses {
    /// Does work that launches may wait for.
    pub(super) fn run<R>(&self, key: CacheKey, work: impl FnOnce() -> R) -> R {
        let pulse = Arc::new(Pulse {
            generation: forks::generation(),
            clock: system::thread_clock().into(),
            end: End::default(),
        });
        self.0.with(|pulses| pulses.insert(key, Arc::clone(&pulse)));
        set_own(Some(Arc::clone(&pulse)));
        let _ending = Ending(self, key, pulse);
        work()
    }

    /// Waits for the work on a key, if there is any, until it ends or its thread does not run.
    pub(super) fn wait(&self, key: &CacheKey) {
        let Some(pulse) = self.0.with(|pulses| pulses.get(key).map(|pulse| Arc::clone(&pulse))) else { return };
        let (mut before, mut stalls) = (pulse.time(), 0);
        while pulse.generation == forks::generation() && stalls < STALLS && !pulse.end.comes_within(STEP) {
            let now = pulse.time();
            stalls = if ran(before, now) { 0 } else { stalls + 1 };
            before = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread, time::Instant};

    const KEY: CacheKey = CacheKey([7; 32]);

    #[test]
    fn work_is_waited_for_while_its_thread_runs() {
        let (pulses, (begin, begun)) = (Pulses::default(), mpsc::channel());
        thread::scope(|scope| {
            scope.spawn(|| {
                pulses.run(KEY, || {
                    begin.send(()).expect("a receiver");
                    let baton = Baton::own();
                    let spin = move || {
                        baton.take();
                        let (clock, start) = (system::thread_clock(), Instant::now());
                        let is_short = || system::cpu_time(clock).expect("a time") < 20 * STEP;
                        while is_short() && start.elapsed() < Duration::from_secs(60) {}
                    };
                    thread::scope(|scope| scope.spawn(spin).join()).expect("no panic");
                });
            });
            begun.recv().expect("it begins");
            // A machine that is busy lets the waiting thread go on earlier, and it waits again.
            let start = Instant::now();
            while pulses.0.with(|pulses| pulses.contains_key(&KEY)) {
                pulses.wait(&KEY);
                assert!(start.elapsed() < Duration::from_secs(60), "the work does not end");
            }
            assert!(start.elapsed() >= STEP, "it was waited for");
        });
        pulses.wait(&KEY);
    }

    #[test]
    fn work_that_stands_still_is_not_waited_for() {
        let (pulses, (begin, begun), (release, released)) = (Pulses::default(), mpsc::channel(), mpsc::channel::<()>());
        thread::scope(|scope| {
            let work = move || {
                begin.send(()).expect("a receiver");
                released.recv().expect_err("no message")
            };
            let pulses = &pulses;
            scope.spawn(move || pulses.run(KEY, work));
            begun.recv().expect("it begins");
            pulses.wait(&KEY);
            assert!(pulses.0.with(|pulses| pulses.contains_key(&KEY)), "it goes on");
            drop(release);
        });
    }

    #[test]
    fn work_ends_with_a_panic() {
        let pulses = Pulses::default();
        let work = || pulses.run(KEY, || panic!("deliberate"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert!(pulses.0.with(DashMap::is_empty) && OWN.with_borrow(|own| own.is_none()));
    }
}
