//! Gets the machine code of a planned translation.
//!
//! In: a plan. Out: a code object from this process, the disk or the translator, in that order. *Invariant:* however many
//! threads and processes ask at the same time, each key is translated once; a translation that failed for a reason that
//! follows from its request is not tried again, any other is.
#![forbid(unsafe_code)]

use super::{plan::Plan, watch};
use crate::{
    cache::{Layer, lock::KeyLock},
    demangle,
    error::RuntimeError,
    runtime::Runtime,
    single_flight::SingleFlight,
    statistics::{Source, add, count},
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, TranslateCause, TranslateError, TranslateRequest};
use std::{
    io::{self, Write},
    sync::Arc,
    time::{Duration, Instant},
};

/// Time between two signs of life to other processes; well below the time that they wait for one.
const TICK: Duration = Duration::from_millis(500);
/// Time after which the user is told what takes so long.
const SILENCE: Duration = Duration::from_secs(1);
/// Time after which a translation that does not end holds up other processes no longer.
const HOPELESS: Duration = Duration::from_secs(600);

/// A code object and what it cost.
#[derive(Clone)]
pub(crate) struct Obtained {
    pub(super) code: Arc<CodeObject>,
    pub(super) source: Source,
    pub(super) translate: Duration,
    /// Whether it was read from the disk, by whichever thread, so that translating again can help.
    pub(super) from_disk: bool,
}

/// Code objects that this process keeps, and failures that it remembers.
#[derive(Default)]
pub(crate) struct CodeStore {
    /// A thread that must not be served from the disk does not join one that may be.
    flights: SingleFlight<(CacheKey, Sources), Result<Obtained, RuntimeError>>,
    /// Code that is not on disk.
    unsaved: DashMap<CacheKey, Arc<CodeObject>>,
    failures: DashMap<CacheKey, RuntimeError>,
    /// Kernels that the user was told about.
    announced: DashMap<String, ()>,
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
        Some(Obtained { code, source: Source::Memory, translate: Duration::ZERO, from_disk: false })
    }
}

/// Which sources may serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sources {
    /// All of them.
    All,
    /// The translator only: what the disk gave did not load.
    Translator,
}

/// Whether the error follows from the request, or from a state that this process does not leave. Files, memory and
/// translators that are missing may be there the next time.
fn is_lasting(cause: &TranslateCause) -> bool {
    !matches!(cause, TranslateCause::Io { .. } | TranslateCause::Unavailable { .. })
}

impl Runtime {
    /// The code of a plan.
    pub(super) fn obtain(&self, plan: &Plan, sources: Sources) -> Result<Obtained, RuntimeError> {
        let mut led = false;
        let result = self.codes.flights.run(&(plan.key, sources), || {
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
        let lock = self.disk().lock(&plan.key, &plan.config.entry);
        // Another process may have finished between the look and the lock.
        if let Some(obtained) = stored() {
            return Ok(obtained);
        }
        let result = self.translate(plan, lock.as_ref());
        if let Err(error @ RuntimeError::Translate(translation)) = &result
            && is_lasting(&translation.cause)
        {
            self.codes.fail(plan.key, error);
        }
        result
    }

    fn on_disk(&self, plan: &Plan) -> Option<Obtained> {
        let hit = self.disk().get(&plan.key)?;
        count(&self.statistics.disk_hits);
        let source = match hit.layer {
            Layer::User => Source::Disk,
            Layer::System => Source::System,
        };
        if hit.layer == Layer::System {
            count(&self.statistics.system_hits);
        }
        Some(Obtained { code: Arc::new(hit.code), source, translate: Duration::ZERO, from_disk: true })
    }

    fn translate(&self, plan: &Plan, lock: Option<&KeyLock>) -> Result<Obtained, RuntimeError> {
        let translator = self.translator.open()?;
        let (request, start) = (plan.request(), Instant::now());
        let tick = |elapsed| self.show_life(&request, lock, elapsed);
        let result = watch::during(TICK, tick, || translator.translate(&request, &self.observer));
        let translate = start.elapsed();
        add(&self.statistics.translate_nanoseconds, translate);
        let code = Arc::new(result.map_err(|error| self.keep_request(plan, &request, error))?);
        count(&self.statistics.translated);
        tracing::info!(?translate, "translated");
        if !self.disk().put(&plan.fields, &code) {
            self.codes.unsaved.insert(plan.key, Arc::clone(&code));
        }
        Ok(Obtained { code, source: Source::Translated, translate, from_disk: false })
    }

    /// Tells other processes, and once the user, that a translation is under way.
    fn show_life(&self, request: &TranslateRequest, lock: Option<&KeyLock>, elapsed: Duration) {
        if let Some(lock) = lock.filter(|_| elapsed < HOPELESS) {
            lock.renew();
        }
        let kernel = &request.config.entry;
        if self.progress && elapsed >= SILENCE && self.codes.announced.insert(kernel.clone(), ()).is_none() {
            let (name, target) = (demangle::short(kernel), &request.target);
            let message = format!("sinter: compiling {name} for {target} ({} s so far) ...\n", elapsed.as_secs());
            // In one piece, so that lines of several processes do not mix. Nobody is told if it fails.
            let _ = io::stderr().write_all(message.as_bytes());
        }
    }

    /// Writes the request for `llvm-to-*-tool --replay`, which can show an error that follows from it.
    fn keep_request(&self, plan: &Plan, request: &TranslateRequest, mut error: TranslateError) -> RuntimeError {
        if is_lasting(&error.cause) {
            error.replay = error.replay.or_else(|| self.disk().save_failed(&plan.key, &request.to_bytes()));
        }
        error.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_wants_a_translation_does_not_join_one_that_reads_the_disk() {
        let (store, key) = (CodeStore::default(), CacheKey([7; 32]));
        let answer = |message: &str| Err(RuntimeError::Internal { message: message.to_owned() });
        let result = store
            .flights
            .run(&(key, Sources::All), || store.flights.run(&(key, Sources::Translator), || answer("translated")));
        assert!(matches!(result, Err(RuntimeError::Internal { message }) if message == "translated"));
    }

    #[test]
    fn only_what_follows_from_the_request_lasts() {
        let message = String::new;
        let lasting = [TranslateCause::Poisoned { reason: message() }, TranslateCause::Bitcode { message: message() }];
        assert!(lasting.iter().all(is_lasting));
        let passing = TranslateCause::Io { path: message(), message: message() };
        assert!(!is_lasting(&passing) && !is_lasting(&TranslateCause::Unavailable { message: message() }));
    }
}
