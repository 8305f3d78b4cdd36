//! Attempts to make code, as the program is told of them.
//!
//! In: work that makes code ready for a variant. Out: its result, with a record of it in the report
//! and the regions, and news for the functions that the program has registered. *Invariant:* news
//! are dropped, which calls these functions, while no launch waits for the thread.
#![forbid(unsafe_code)]

use super::Launcher;
use crate::{
    code::{LoadedKernel, Unbuilt},
    compilations::{News, Outcome},
    devices::DeviceEntry,
    error::RuntimeError,
    statistics::{Made, Reason, Variant},
};

impl Launcher {
    /// Makes code for a launch. An error that is known from an earlier launch is no news.
    pub(super) fn told_of_launch<'a>(
        &'a self,
        device: &DeviceEntry,
        variant: &Variant,
        make: impl FnOnce() -> Result<LoadedKernel, Unbuilt>,
    ) -> (Result<LoadedKernel, RuntimeError>, Option<News<'a>>) {
        let under_way = self.compilations.begin(variant, device.index, Reason::Launch);
        match make() {
            Ok(loaded) => {
                let news = under_way.end(Outcome::Ready(loaded.record.made()));
                (Ok(loaded), Some(news))
            }
            Err(Unbuilt { error, is_new }) => {
                let fail = || {
                    self.statistics.fail(variant, Reason::Launch, error.chain());
                    under_way.end(Outcome::Failed(error.chain()))
                };
                let news = is_new.then(fail);
                (Err(error), news)
            }
        }
    }

    /// Makes code that may never be needed. `None` if it cannot be made, which is no news.
    pub(super) fn told_of_guess(&self, device: &DeviceEntry, variant: &Variant, make: impl FnOnce() -> Option<Made>) {
        let under_way = self.compilations.begin(variant, device.index, Reason::Ahead);
        if let Some(made) = make() {
            drop(under_way.end(Outcome::Ready(made)));
        }
    }

    /// Makes code that no launch waits for. `None` if there is none to make.
    pub(super) fn told_of_other(
        &self,
        device: &DeviceEntry,
        (variant, reason): (&Variant, Reason),
        make: impl FnOnce() -> Result<Option<LoadedKernel>, RuntimeError>,
    ) -> Result<Option<LoadedKernel>, RuntimeError> {
        let under_way = self.compilations.begin(variant, device.index, reason);
        let made = make();
        match &made {
            Ok(Some(loaded)) => drop(under_way.end(Outcome::Ready(loaded.record.made()))),
            Ok(None) => drop(under_way),
            Err(error) => {
                self.statistics.fail(variant, reason, error.chain());
                drop(under_way.end(Outcome::Failed(error.chain())));
            }
        }
        made
    }
}
