//! Makes machine code of what a translator returned, where the device's driver has to do that.
//!
//! In: code from the translator, or from a cache that another driver may have filled. Out: code that the device takes, which
//! is what the caches keep. *Invariant:* code from a cache that the driver refuses is set aside and translated again;
//! code that was just translated is an error that names kernel, log and request.
#![forbid(unsafe_code)]

use super::{
    load::is_refused,
    obtain::{Obtained, TICK},
    plan::Plan,
    ticker,
};
use crate::{cache::lock::KeyLock, devices::DeviceEntry, error::RuntimeError, runtime::Runtime, statistics::add};
use sinter_core::TranslateRequest;
use sinter_driver::DriverError;
use std::{sync::Arc, time::Instant};

impl Runtime {
    /// Code that the device takes; that of another driver is made again from its text and replaces it. `None` if it is of
    /// no use, which has been reported.
    pub(crate) fn assemble_stored(
        &self,
        device: &DeviceEntry,
        plan: &Plan,
        lock: Option<&KeyLock>,
        found: Obtained,
    ) -> Result<Option<Obtained>, RuntimeError> {
        match self.assemble(device, plan, lock, found) {
            Ok((ready, false)) => Ok(Some(ready)),
            Ok((ready, true)) => Ok(Some(self.save(plan, lock, ready))),
            Err(error) if is_refused(&error) => {
                self.disk().quarantine(&plan.key, &error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The code of a translation, as it is cached.
    pub(crate) fn assemble_translated(
        &self,
        device: &DeviceEntry,
        plan: &Plan,
        lock: Option<&KeyLock>,
        request: &TranslateRequest,
        found: Obtained,
    ) -> Result<Obtained, RuntimeError> {
        match self.assemble(device, plan, lock, found) {
            Ok((ready, _)) => Ok(self.save(plan, lock, ready)),
            Err(RuntimeError::Driver(source)) if matches!(*source, DriverError::Load { .. }) => {
                let path = self.disk().save_failed(&plan.key, &request.to_bytes());
                let replay = path.map(|path| (path, plan.target.family()));
                Err(RuntimeError::Assemble { kernel: plan.config.entry.clone(), source, replay })
            }
            Err(error) => Err(error),
        }
    }

    /// The code, and whether the driver had to do anything for it.
    fn assemble(
        &self,
        device: &DeviceEntry,
        plan: &Plan,
        lock: Option<&KeyLock>,
        found: Obtained,
    ) -> Result<(Obtained, bool), RuntimeError> {
        if device.device.is_assembled(&found.code) {
            return Ok((found, false));
        }
        let start = Instant::now();
        let _under_way = self.codes.progress.start(&plan.config.entry, plan.target.to_string());
        let tick = |elapsed| self.show_life(lock, elapsed);
        let made = ticker::during(TICK, tick, || sinter_signals::aloud(|| device.device.assemble(&found.code)))?;
        let Some(code) = made else { return Ok((found, false)) };
        let assemble = start.elapsed();
        add(&self.statistics.assemble_nanoseconds, assemble);
        tracing::info!(?assemble, "assembled");
        Ok((Obtained { code: Arc::new(code), assemble, ..found }, true))
    }

    /// Caches the code, on disk or else in this process. Then no other process finds it where it waits for it.
    fn save(&self, plan: &Plan, lock: Option<&KeyLock>, ready: Obtained) -> Obtained {
        if !self.disk().put(&plan.fields, &ready.code) {
            lock.inspect(|lock| lock.give_up());
            self.codes.keep(plan.key, &ready.code);
        }
        ready
    }
}
