//! Regions of a program in which nothing may be compiled.
//!
//! In: begin and end of a region. Out: an error that names the kernels of which code was made ready
//! meanwhile, for any thread of the process. *Invariant:* code that is in the process already does
//! not count; code that a cache has does, because a driver loads it and may compile there.
#![forbid(unsafe_code)]

use super::{
    attempts::Compilations,
    compilation::{Compilation, Outcome},
};
use crate::error::RuntimeError;
use std::sync::Arc;

/// A region that is open. Dropping it closes it without an answer.
pub struct Region {
    compilations: Arc<Compilations>,
    number: u64,
}

impl Compilations {
    /// Opens a region.
    pub(crate) fn open_region(self: &Arc<Self>) -> Region {
        let number = self.with(|state| {
            let number = state.number();
            state.regions.push((number, Vec::new()));
            number
        });
        Region { compilations: Arc::clone(self), number }
    }

    fn close_region(&self, number: u64) -> Vec<Compilation> {
        self.with(|state| {
            let Some(index) = state.regions.iter().position(|(known, _)| *known == number) else { return Vec::new() };
            let (_, mut all) = state.regions.swap_remove(index);
            all.extend(state.under_way.iter().map(|attempt| attempt.compilation(Outcome::UnderWay)));
            all
        })
    }
}

impl Region {
    /// Closes it. [`RuntimeError::Compiled`] if code was made ready since it was opened, or is
    /// being made.
    pub fn end(self) -> Result<(), RuntimeError> {
        let all = self.compilations.close_region(self.number);
        let compilations: Arc<[Compilation]> = all.into_iter().filter(Compilation::has_work).collect();
        if compilations.is_empty() { Ok(()) } else { Err(RuntimeError::Compiled { compilations }) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        self.compilations.close_region(self.number);
    }
}
