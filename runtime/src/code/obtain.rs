//! Gets the machine code of a planned translation.
//!
//! In: a plan and a device. Out: a code object that the device takes, from this process, the disk or the translator, in that
//! order; `assemble` has the part of the device's driver. *Invariant:* however many threads and processes ask at the same
//! time, each key is translated and assembled once; what failed for a reason that follows from its request is not tried
//! again, anything else is.
#![forbid(unsafe_code)]

use super::{plan::Plan, progress::Progress, ticker};
use crate::{
    cache::{Layer, lock::KeyLock},
    code::single_flight::SingleFlight,
    devices::DeviceEntry,
    error::RuntimeError,
    runtime::Runtime,
    statistics::{Source, add, count},
    system,
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, TranslateCause, TranslateError, TranslateRequest};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Time between two signs of life to other processes; well below the time that they wait for one.
pub(crate) const TICK: Duration = Duration::from_millis(500);
/// Time after which a translation that does not end holds up other processes no longer.
const HOPELESS: Duration = Duration::from_secs(600);

/// Bytes of address space for a request, its copies and threads, besides the translator.
const ROOM: usize = 16 << 20;

/// A code object and what it cost.
#[derive(Clone)]
pub(crate) struct Obtained {
    pub(crate) code: Arc<CodeObject>,
    pub(crate) source: Source,
    pub(crate) translate: Duration,
    pub(crate) assemble: Duration,
    /// Whether it was read from the disk, by whichever thread, so that translating again can help.
    pub(crate) from_disk: bool,
}

impl Obtained {
    fn new(code: Arc<CodeObject>, source: Source, from_disk: bool) -> Self {
        Obtained { code, source, translate: Duration::ZERO, assemble: Duration::ZERO, from_disk }
    }

    /// The same for a thread that did not do the work, which has been counted already.
    fn shared(self) -> Self {
        Obtained { source: Source::Memory, translate: Duration::ZERO, assemble: Duration::ZERO, ..self }
    }
}

/// Code objects that this process keeps, and failures that it remembers.
#[derive(Default)]
pub(crate) struct CodeStore {
    /// A thread that must not be served from the disk does not join one that may be.
    /// With a result comes the device of the thread that did the work.
    flights: SingleFlight<(CacheKey, Sources), (u32, Result<Obtained, RuntimeError>)>,
    /// Code that is not on disk.
    unsaved: DashMap<CacheKey, Arc<CodeObject>>,
    /// With a device where the failure is its driver's.
    failures: DashMap<(CacheKey, Option<u32>), RuntimeError>,
    /// What the user is told about.
    pub(crate) progress: Progress,
}

impl CodeStore {
    /// Remembers that a key cannot be used: by this device, where its driver said so, or by any.
    pub(crate) fn fail(&self, key: CacheKey, device: u32, error: &RuntimeError) {
        self.failures.insert((key, is_of_device(error).then_some(device)), error.clone());
    }

    fn failure(&self, key: CacheKey, device: u32) -> Option<RuntimeError> {
        let get = |device| self.failures.get(&(key, device)).map(|error| error.clone());
        get(None).or_else(|| get(Some(device)))
    }

    /// Keeps code that could not be saved.
    pub(crate) fn keep(&self, key: CacheKey, code: &Arc<CodeObject>) {
        self.unsaved.insert(key, Arc::clone(code));
    }

    fn unsaved(&self, key: &CacheKey) -> Option<Obtained> {
        let code = self.unsaved.get(key).map(|code| Arc::clone(&code))?;
        Some(Obtained::new(code, Source::Memory, false))
    }
}

/// Which sources may serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sources {
    /// All of them.
    All,
    /// The translator only: what the disk gave did not load.
    Translator,
}

/// Whether the error follows from the request, or from a state that this process does not leave. Any other may be one of files,
/// memory, threads or translators that are missing and may be there the next time; so may one of the linker, which sees
/// no code with unresolved symbols.
fn follows_from_request(cause: &TranslateCause) -> bool {
    use TranslateCause::*;
    matches!(
        cause,
        Bitcode { .. }
            | NewerBitcode { .. }
            | UnknownKernel { .. }
            | HashMismatch { .. }
            | UnsetConstant { .. }
            | ConstantType { .. }
            | UnknownName { .. }
            | Unresolved { .. }
            | Unsupported { .. }
            | Import { .. }
            | CodeGeneration { .. }
            | Fatal { .. }
            | Poisoned { .. }
    )
}

/// Whether replaying the request can show the error.
fn can_be_replayed(cause: &TranslateCause) -> bool {
    !matches!(cause, TranslateCause::Io { .. } | TranslateCause::Unavailable { .. } | TranslateCause::OutOfMemory)
}

/// Whether the error says nothing about another device of the same target.
fn is_of_device(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(_) | RuntimeError::Assemble { .. })
}

/// Whether the next attempt would fail as well.
fn is_lasting(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Translate(error) => follows_from_request(&error.cause),
        RuntimeError::Assemble { .. } => true,
        _ => false,
    }
}

/// Fails if there is no room for a request and its answer: Rust ends the process if an allocation
/// fails.
fn expect_room(plan: &Plan) -> Result<(), TranslateError> {
    if system::has_room(ROOM) {
        return Ok(());
    }
    let (kernel, target) = (plan.config.entry.clone(), plan.target.to_string());
    Err(TranslateError { stage: "memory".to_owned(), kernel, target, replay: None, cause: TranslateCause::OutOfMemory })
}

impl Runtime {
    /// The code of a plan.
    pub(crate) fn obtain(&self, device: &DeviceEntry, plan: &Plan, sources: Sources) -> Result<Obtained, RuntimeError> {
        let mut led = false;
        let (leader, result) = self.codes.flights.run(&(plan.key, sources), || {
            led = true;
            (device.index, self.obtain_alone(device, plan, sources))
        });
        match result {
            Err(error) if leader != device.index && is_of_device(&error) => self.obtain_alone(device, plan, sources),
            // Made for a device that takes other code of the same target, such as a GPU of another generation.
            Ok(found) if !led && !device.device.is_assembled(&found.code) => {
                self.obtain_alone(device, plan, Sources::All)
            }
            Ok(found) if !led => Ok(found.shared()),
            result => result,
        }
    }

    fn obtain_alone(&self, device: &DeviceEntry, plan: &Plan, sources: Sources) -> Result<Obtained, RuntimeError> {
        if let Some(error) = self.codes.failure(plan.key, device.index) {
            return Err(error);
        }
        let is_ready = |found: &Obtained| device.device.is_assembled(&found.code);
        if let Some(found) = self.stored(plan, sources).filter(is_ready) {
            return Ok(self.served(found));
        }
        let lock = self.disk().lock(&plan.key, &plan.config.entry);
        // Another process may have finished between the look and the lock.
        if let Some(found) = self.stored(plan, sources)
            && let Some(ready) = self.assemble_stored(device, plan, lock.as_ref(), found)?
        {
            return Ok(self.served(ready));
        }
        let result = self.translate(device, plan, lock.as_ref());
        if let Err(error) = &result
            && is_lasting(error)
        {
            self.codes.fail(plan.key, device.index, error);
        }
        result
    }

    fn stored(&self, plan: &Plan, sources: Sources) -> Option<Obtained> {
        match sources {
            Sources::All => self.codes.unsaved(&plan.key).or_else(|| self.on_disk(plan)),
            Sources::Translator => None,
        }
    }

    fn on_disk(&self, plan: &Plan) -> Option<Obtained> {
        let hit = self.disk().get(&plan.key)?;
        let source = match hit.layer {
            Layer::User => Source::Disk,
            Layer::System => Source::System,
        };
        Some(Obtained::new(Arc::new(hit.code), source, true))
    }

    /// Counts a hit that is used.
    fn served(&self, found: Obtained) -> Obtained {
        if found.from_disk {
            count(&self.statistics.disk_hits);
        }
        if found.source == Source::System {
            count(&self.statistics.system_hits);
        }
        found
    }

    fn translate(&self, device: &DeviceEntry, plan: &Plan, lock: Option<&KeyLock>) -> Result<Obtained, RuntimeError> {
        let translator = self.translator.open()?;
        expect_room(plan)?;
        self.check_dump();
        let (request, start) = (plan.request(self.disk())?, Instant::now());
        let _under_way = self.codes.progress.start(&plan.config.entry, plan.target.to_string());
        let tick = |elapsed| self.show_life(lock, elapsed);
        let result = ticker::during(TICK, tick, || translator.translate(&request, &self.observer));
        let translate = start.elapsed();
        add(&self.statistics.translate_nanoseconds, translate);
        let code = Arc::new(result.map_err(|error| self.keep_request(plan, &request, error))?);
        count(&self.statistics.translated);
        tracing::info!(?translate, "translated");
        let found = Obtained { translate, ..Obtained::new(code, Source::Translated, false) };
        self.assemble_translated(device, plan, lock, &request, found)
    }

    /// Tells other processes, and now and then the user, that kernels are being compiled.
    pub(crate) fn show_life(&self, lock: Option<&KeyLock>, elapsed: Duration) {
        if let Some(lock) = lock.filter(|_| elapsed < HOPELESS) {
            lock.renew();
        }
        if self.progress {
            self.codes.progress.show();
        }
    }

    /// Writes the request for `llvm-to-*-tool --replay`, which can show an error that follows from it.
    fn keep_request(&self, plan: &Plan, request: &TranslateRequest, mut error: TranslateError) -> RuntimeError {
        if can_be_replayed(&error.cause) {
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
        let answer = |message: &str| (0, Err(RuntimeError::Internal { message: message.to_owned() }));
        let result = store
            .flights
            .run(&(key, Sources::All), || store.flights.run(&(key, Sources::Translator), || answer("translated")));
        assert!(matches!(result.1, Err(RuntimeError::Internal { message }) if message == "translated"));
    }

    #[test]
    fn only_what_follows_from_the_request_lasts() {
        let message = String::new;
        let lasting = [TranslateCause::Poisoned { reason: message() }, TranslateCause::Bitcode { message: message() }];
        assert!(lasting.iter().all(follows_from_request));
        let passing = [
            TranslateCause::Io { path: message(), message: message() },
            TranslateCause::Unavailable { message: message() },
            TranslateCause::Link { message: "cannot open output file".to_owned() },
            TranslateCause::Internal { message: message() },
            TranslateCause::OutOfMemory,
        ];
        assert!(!passing.iter().any(follows_from_request));
        assert_eq!(passing.each_ref().map(can_be_replayed), [false, false, true, true, false]);
    }
}
