//! Asynchronous errors of the commands of one queue.
//!
//! In: errors, from whichever thread found them. Out: each of them once, to a wait of the queue
//! itself. *Invariant:* whoever else waits for a command leaves its error here.
#![forbid(unsafe_code)]

use crate::error::RuntimeError;
use sinter_driver::{DriverError, Queue};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// Number of errors kept for a program that never waits.
const MOST: usize = 1024;

/// The errors of each driver's queue that exists, by its address. Events, which are copied at each
/// command, need them only for an error.
static OWNERS: Mutex<Vec<(usize, Weak<Errors>)>> = Mutex::new(Vec::new());

fn owners() -> MutexGuard<'static, Vec<(usize, Weak<Errors>)>> {
    OWNERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn address(queue: &Arc<dyn Queue>) -> usize {
    Arc::as_ptr(queue).addr()
}

/// Errors that no wait of the queue has returned.
#[derive(Default)]
pub(crate) struct Errors {
    is_any: AtomicBool,
    list: Mutex<VecDeque<RuntimeError>>,
}

impl Errors {
    /// Makes them those of a driver's queue, too, which lives as long.
    pub(crate) fn own(self: &Arc<Self>, queue: &Arc<dyn Queue>) {
        let mut owners = owners();
        owners.retain(|(known, errors)| *known != address(queue) && errors.strong_count() > 0);
        owners.push((address(queue), Arc::downgrade(self)));
    }

    /// The errors of a driver's queue.
    pub(crate) fn of(queue: &Arc<dyn Queue>) -> Option<Arc<Self>> {
        owners().iter().find(|(known, _)| *known == address(queue))?.1.upgrade()
    }

    /// Keeps an error for the queue's next wait.
    pub(crate) fn add(&self, error: RuntimeError) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if list.len() < MOST {
            list.push_back(error);
        }
        self.is_any.store(true, Ordering::Release);
    }

    /// Keeps an error unless it is one of the caller's own: a child process cannot use the queues
    /// of its parent.
    pub(crate) fn add_from(&self, error: &RuntimeError) -> bool {
        let is_callers = |cause: &DriverError| {
            matches!(
                cause,
                DriverError::Inherited { .. } | DriverError::Forked { .. } | DriverError::UnknownTicket { .. }
            )
        };
        if matches!(error, RuntimeError::Driver(cause) if is_callers(cause)) {
            return false;
        }
        self.add(error.clone());
        true
    }

    /// Takes the oldest error.
    #[inline]
    pub(crate) fn take(&self) -> Result<(), RuntimeError> {
        if self.is_any.load(Ordering::Acquire) { self.take_first() } else { Ok(()) }
    }

    #[cold]
    fn take_first(&self) -> Result<(), RuntimeError> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let first = list.pop_front();
        self.is_any.store(!list.is_empty(), Ordering::Release);
        first.map_or(Ok(()), Err)
    }
}
