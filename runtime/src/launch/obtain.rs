//! Gets the machine code of a planned translation.
//!
//! In: a plan. Out: a code object from this process, the disk or the translator, in that order. *Invariant:* however many
//! threads and processes ask at the same time, each key is translated once; a translation that failed for a lasting reason
//! is not tried again.
#![forbid(unsafe_code)]

use super::plan::Plan;
use crate::{
    error::RuntimeError,
    runtime::Runtime,
    single_flight::SingleFlight,
    statistics::{Source, add, count},
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, TranslateCause, TranslateError, TranslateRequest};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A code object and what it cost.
#[derive(Clone)]
pub(crate) struct Obtained {
    pub(super) code: Arc<CodeObject>,
    pub(super) source: Source,
    pub(super) translate: Duration,
}

/// Code objects that this process keeps, and failures that it remembers.
#[derive(Default)]
pub(crate) struct CodeStore {
    flights: SingleFlight<CacheKey, Result<Obtained, RuntimeError>>,
    /// Code that is not on disk.
    unsaved: DashMap<CacheKey, Arc<CodeObject>>,
    failures: DashMap<CacheKey, RuntimeError>,
}

impl CodeStore {
    /// Remembers that a key cannot be used.
    pub(super) fn fail(&self, key: CacheKey, error: &RuntimeError) {
        self.failures.insert(key, error.clone());
    }

    fn failure(&self, key: &CacheKey) -> Option<RuntimeError> {
        self.failures.get(key).map(|error| error.clone())
    }

    fn unsaved(&self, key: &CacheKey) -> Option<Obtained> {
        let code = self.unsaved.get(key).map(|code| Arc::clone(&code))?;
        Some(Obtained { code, source: Source::Memory, translate: Duration::ZERO })
    }
}

/// Which sources may serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sources {
    /// All of them.
    All,
    /// The translator only: what the disk gave did not load.
    Translator,
}

/// Whether the same request can succeed later in this process.
fn may_pass(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Translate(error) if matches!(error.cause, TranslateCause::Io { .. }))
}

impl Runtime {
    /// The code of a plan.
    pub(super) fn obtain(&self, plan: &Plan, sources: Sources) -> Result<Obtained, RuntimeError> {
        let mut led = false;
        let result = self.codes.flights.run(&plan.key, || {
            led = true;
            self.obtain_alone(plan, sources)
        });
        match result {
            // The thread that led has counted it already.
            Ok(obtained) if !led => Ok(Obtained { source: Source::Memory, translate: Duration::ZERO, ..obtained }),
            result => result,
        }
    }

    fn obtain_alone(&self, plan: &Plan, sources: Sources) -> Result<Obtained, RuntimeError> {
        if let Some(error) = self.codes.failure(&plan.key) {
            return Err(error);
        }
        let stored = || match sources {
            Sources::All => self.codes.unsaved(&plan.key).or_else(|| self.on_disk(plan)),
            Sources::Translator => None,
        };
        if let Some(obtained) = stored() {
            return Ok(obtained);
        }
        let _lock = self.disk().lock(&plan.key);
        // Another process may have finished between the look and the lock.
        if let Some(obtained) = stored() {
            return Ok(obtained);
        }
        let result = self.translate(plan);
        if let Err(error) = &result
            && !may_pass(error)
        {
            self.codes.fail(plan.key, error);
        }
        result
    }

    fn on_disk(&self, plan: &Plan) -> Option<Obtained> {
        let code = Arc::new(self.disk().get(&plan.key)?);
        count(&self.statistics.disk_hits);
        Some(Obtained { code, source: Source::Disk, translate: Duration::ZERO })
    }

    fn translate(&self, plan: &Plan) -> Result<Obtained, RuntimeError> {
        let translator = self.translator.open()?;
        let (request, start) = (plan.request(), Instant::now());
        let result = translator.translate(&request, &self.observer);
        let translate = start.elapsed();
        add(&self.statistics.translate_nanoseconds, translate);
        let code = Arc::new(result.map_err(|error| self.keep_request(plan, &request, error))?);
        count(&self.statistics.translated);
        tracing::info!(?translate, "translated");
        if !self.disk().put(&plan.fields, &code) {
            self.codes.unsaved.insert(plan.key, Arc::clone(&code));
        }
        Ok(Obtained { code, source: Source::Translated, translate })
    }

    /// Writes the request for `llvm-to-*-tool --replay`.
    fn keep_request(&self, plan: &Plan, request: &TranslateRequest, mut error: TranslateError) -> RuntimeError {
        error.replay = error.replay.or_else(|| self.disk().save_failed(&plan.key, &request.to_bytes()));
        error.into()
    }
}
