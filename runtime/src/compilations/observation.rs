//! Functions of the program that are told of compilations.
//!
//! In: functions. Out: handles that end the calls. *Invariant:* once [`Observation::stop`] has
//! returned, no thread is in a call of the function. A child process calls no function of its
//! parent's.
#![forbid(unsafe_code)]

use super::{
    attempts::Compilations,
    observer::{Observer, Told, is_telling},
};
use crate::{error::RuntimeError, forks};
use std::{sync::Arc, thread, time::Duration};

/// Time between two looks at calls that have to end.
const PAUSE: Duration = Duration::from_micros(100);

impl Compilations {
    /// Has a function called for each attempt that ends from now on.
    pub(crate) fn observe(self: &Arc<Self>, told: Told) -> Observation {
        let observer = Arc::new(Observer::new(told));
        self.with(|state| state.observers.push(Arc::clone(&observer)));
        Observation { compilations: Arc::clone(self), observer }
    }
}

/// A function that is told of compilations until this is dropped.
///
/// The thread that made the code calls it: one that launches, or one of the background. Several
/// threads may be in it at once. No lock is held, but the launch or the job goes on only
/// afterwards. It must not launch kernels, nor wait for a thread that does: a launch that needs
/// code is an error there.
pub struct Observation {
    compilations: Arc<Compilations>,
    observer: Arc<Observer>,
}

impl Observation {
    /// Ends it, and waits for calls of other threads. Within a call of such a function it is an
    /// error, and nothing is waited for, because two of them would wait for one another.
    pub fn stop(self) -> Result<(), RuntimeError> {
        if is_telling() {
            return Err(Self::within_a_call());
        }
        Ok(())
    }

    pub(crate) fn within_a_call() -> RuntimeError {
        let reason = "cannot be stopped by a function that is told of a compilation; stop it after that has returned";
        RuntimeError::invalid("observer", reason)
    }

    fn forget(&self) {
        self.compilations.with(|state| state.observers.retain(|known| !Arc::ptr_eq(known, &self.observer)));
    }
}

impl Drop for Observation {
    /// As [`Observation::stop`], but within a call it does not wait: the function lives until the
    /// last call has returned.
    fn drop(&mut self) {
        self.forget();
        if is_telling() || self.observer.generation != forks::generation() {
            return;
        }
        while self.observer.is_called() {
            thread::sleep(PAUSE);
        }
    }
}
