//! Calls of functions of the program that are told of compilations.
//!
//! *Invariant:* a panic in such a function goes no further than to the log.
#![forbid(unsafe_code)]

use super::compilation::Compilation;
use crate::forks;
use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

thread_local! {
    /// Calls that the thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// True within a call.
pub(crate) fn is_telling() -> bool {
    DEPTH.get() > 0
}

/// A function of the program.
pub(super) type Told = Box<dyn Fn(&Compilation) + Send + Sync>;

pub(super) struct Observer {
    told: Told,
    calls: AtomicUsize,
    /// The process that it belongs to.
    pub(super) generation: u64,
}

impl Observer {
    pub(super) fn new(told: Told) -> Self {
        Observer { told, calls: AtomicUsize::new(0), generation: forks::generation() }
    }

    /// True if a thread is in a call of it.
    pub(super) fn is_called(&self) -> bool {
        self.calls.load(Ordering::Acquire) > 0
    }
}

/// A call that a thread is in, or is about to make.
pub(super) struct Call(Arc<Observer>);

impl Call {
    pub(super) fn of(observer: &Arc<Observer>) -> Self {
        observer.calls.fetch_add(1, Ordering::Relaxed);
        Call(Arc::clone(observer))
    }

    pub(super) fn make(&self, compilation: &Compilation) {
        DEPTH.set(DEPTH.get() + 1);
        let result = catch_unwind(AssertUnwindSafe(|| (self.0.told)(compilation)));
        DEPTH.set(DEPTH.get() - 1);
        if result.is_err() {
            tracing::warn!("a function that was told of a compilation has panicked");
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Release);
    }
}
