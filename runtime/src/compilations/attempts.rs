//! The attempts of a runtime, and those who are told of their ends.
//!
//! In: begins and ends of attempts. Out: entries of open regions, and calls of observers.
//! *Invariant:* observers are called while the state is not locked.
#![forbid(unsafe_code)]

use super::{
    compilation::{Compilation, Outcome},
    observer::{Call, Observer},
};
use crate::{
    forks::{self, ForkSafe},
    statistics::{Reason, Variant},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// An attempt that goes on.
pub(super) struct Attempt {
    number: u64,
    variant: Variant,
    device_index: u32,
    reason: Reason,
    begun: Instant,
}

impl Attempt {
    pub(super) fn compilation(&self, outcome: Outcome) -> Compilation {
        let Variant { kernel, device, description } = self.variant.clone();
        let (device_index, reason, duration) = (self.device_index, self.reason, self.begun.elapsed());
        Compilation { symbol: kernel, device, device_index, variant: description, reason, outcome, duration }
    }
}

#[derive(Default)]
pub(super) struct State {
    /// Number of the next attempt or region.
    next: u64,
    pub(super) under_way: Vec<Attempt>,
    pub(super) observers: Vec<Arc<Observer>>,
    /// The regions that are open, by number, with the attempts that ended in them.
    pub(super) regions: Vec<(u64, Vec<Compilation>)>,
}

impl State {
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// The attempts of one runtime, and those who are told of them.
#[derive(Default)]
pub(crate) struct Compilations(ForkSafe<Mutex<State>>);

impl Compilations {
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        self.0.with(|state| work(&mut state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Begins an attempt.
    pub(crate) fn begin(&self, variant: &Variant, device_index: u32, reason: Reason) -> UnderWay<'_> {
        let (variant, begun) = (variant.clone(), Instant::now());
        let number = self.with(|state| {
            let number = state.number();
            state.under_way.push(Attempt { number, variant, device_index, reason, begun });
            number
        });
        UnderWay { compilations: self, number }
    }

    fn tell(&self, compilation: &Compilation) {
        let generation = forks::generation();
        let calls: Vec<_> = self.with(|state| {
            state.observers.iter().filter(|observer| observer.generation == generation).map(Call::of).collect()
        });
        calls.iter().for_each(|call| call.make(compilation));
    }
}

/// An attempt that goes on; dropping it forgets it.
pub(crate) struct UnderWay<'a> {
    compilations: &'a Compilations,
    number: u64,
}

impl<'a> UnderWay<'a> {
    /// Ends the attempt. The result tells the program when it is dropped.
    pub(crate) fn end(self, outcome: Outcome) -> News<'a> {
        let compilation = self.compilations.with(|state| {
            let attempt = state.under_way.iter().find(|attempt| attempt.number == self.number)?;
            let compilation = attempt.compilation(outcome);
            state.regions.iter_mut().for_each(|(_, ended)| ended.push(compilation.clone()));
            (!state.observers.is_empty()).then(|| Box::new(compilation))
        });
        News { compilations: self.compilations, compilation }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.compilations.with(|state| state.under_way.retain(|attempt| attempt.number != self.number));
    }
}

/// An attempt that has ended; dropping it tells the program.
pub(crate) struct News<'a> {
    compilations: &'a Compilations,
    compilation: Option<Box<Compilation>>,
}

impl Drop for News<'_> {
    fn drop(&mut self) {
        if let Some(compilation) = self.compilation.take() {
            self.compilations.tell(&compilation);
        }
    }
}
