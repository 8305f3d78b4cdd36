//! Assembles the output of the translator to machine code, where the device's driver has to do
//! that.
//!
//! In: code from the translator, or from a cache that another driver may have filled. Out: code
//! that the device accepts; the caches store that. *Invariant:* code from a cache that the driver
//! rejects is quarantined and translated again. Freshly translated code that it rejects is an error
//! that names kernel, log and request.
#![forbid(unsafe_code)]

use super::{
    obtain::{Codes, Part, TICK, Waiting, Work},
    store::Obtained,
    ticker,
    translation::Translation,
};
use crate::{
    cache::lock::KeyLock,
    error::RuntimeError,
    exit::{self, Moment},
    statistics::add,
};
use sinter_core::TranslateRequest;
use sinter_driver::{Device, DriverError, Keep};
use std::{sync::Arc, time::Instant};

/// True if the driver rejected the code itself.
pub(super) fn is_refused(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(error) if matches!(**error, DriverError::Load { .. }))
}

impl Codes {
    /// Counts and stores what the device's driver compiles of a kernel when it is launched, which
    /// was loaded from `found`.
    pub(super) fn keep(&self, device: &dyn Device, translation: &Translation, found: &Obtained) -> Keep {
        let statistics = Arc::clone(&self.statistics);
        let spent = Box::new(move |time| add(&statistics.assemble_nanoseconds, time));
        Keep { spent, store: Box::new(self.store.keep(device, translation, found)) }
    }
}

impl Work<'_> {
    /// Code that the device accepts. Machine code of another driver is assembled again from its PTX
    /// or SPIR-V, and the result is kept beside it. `None` if the driver rejects it, which has been
    /// reported.
    pub(super) fn assemble_stored(
        &self,
        lock: Option<&KeyLock>,
        found: Obtained,
    ) -> Result<Option<Obtained>, RuntimeError> {
        let (place, is_further) = (found.place, found.code.assembly.is_some());
        match self.assemble(lock, found) {
            Ok((ready, false)) => Ok(Some(ready)),
            Ok((ready, true)) => Ok(Some(self.save(lock, ready, is_further))),
            Err(error) if is_refused(&error) && !self.is_guess() => {
                self.codes.cache.quarantine(&place, &error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Assembles and stores the result of a translation.
    pub(super) fn assemble_translated(
        &self,
        lock: Option<&KeyLock>,
        request: &TranslateRequest,
        found: Obtained,
    ) -> Result<Obtained, RuntimeError> {
        match self.assemble(lock, found) {
            Ok((ready, _)) => Ok(self.save(lock, ready, false)),
            Err(RuntimeError::Driver(source)) if matches!(*source, DriverError::Load { .. }) => {
                let saved = if self.is_guess() { None } else { self.save_request(request) };
                let replay = saved.map(|path| (path, self.translation.target.family()));
                Err(RuntimeError::Assemble { kernel: self.translation.config.entry.clone(), source, replay })
            }
            Err(error) => Err(error),
        }
    }

    /// The assembled code, and true if the driver had to assemble it.
    fn assemble(&self, lock: Option<&KeyLock>, found: Obtained) -> Result<(Obtained, bool), RuntimeError> {
        let device = &self.device.device;
        if device.is_assembled(&found.code) || self.waiting == Waiting::Guess(Part::Translation) {
            return Ok((found, false));
        }
        let is_awaited = self.waiting == Waiting::Launch;
        if is_awaited {
            self.codes.assembles(self.device);
        }
        let (_span, start) = (self.span("assemble"), Instant::now());
        let made = self.announced(lock, |tick| {
            ticker::during(TICK, tick, || sinter_signals::with_signals_restored(|| device.assemble(&found.code)))
        });
        if is_awaited {
            exit::expect(Moment::Assembled);
        }
        let Some(code) = made? else { return Ok((found, false)) };
        let assemble = start.elapsed();
        add(&self.codes.statistics.assemble_nanoseconds, assemble);
        tracing::info!(?assemble, "assembled");
        Ok((Obtained { code: Arc::new(code), assemble, ..found }, true))
    }

    /// Stores the code. If it does not reach the disk, the lock is given up, because other
    /// processes would wait in vain.
    fn save(&self, lock: Option<&KeyLock>, ready: Obtained, is_further: bool) -> Obtained {
        let Work { codes, device, translation, .. } = *self;
        let (place, is_shared) = codes.store.save(&*device.device, translation, &ready.code, is_further);
        if !is_shared {
            lock.inspect(|lock| lock.give_up());
        }
        let ready = Obtained { place, ..ready };
        match self.is_guess() {
            true => codes.store.keep_prepared(&ready),
            false => codes.store.drop_prepared(&place),
        }
        ready
    }
}
