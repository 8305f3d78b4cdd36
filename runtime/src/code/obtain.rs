//! Obtains the code of a translation.
//!
//! In: a translation and a device. Out: a code object that the device accepts, from the store or
//! the translator; `assemble` covers the part of the device's driver. *Invariant:* however many
//! threads and processes ask at the same time, each key is translated and assembled once. A failure
//! that follows from the request is not tried again; any other failure is.
#![forbid(unsafe_code)]

use super::{
    deep,
    dump::Dump,
    progress::Progress,
    pulse::Pulses,
    single_flight::SingleFlight,
    store::{CodeStore, Obtained, is_lasting, is_of_device},
    translation::Translation,
    translator::LazyTranslator,
};
use crate::{
    cache::{DiskCache, lock::KeyLock},
    devices::DeviceEntry,
    error::RuntimeError,
    statistics::{Source, Statistics, add, count},
    system, trace,
};
use sinter_core::{
    CacheKey, CodeObject, OptLevel, Remark, TranslateCause, TranslateError, TranslateRequest, names::readable,
};
use std::{
    path::PathBuf,
    process,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// Interval between renewals of the inter-process lock; much shorter than the time that other
/// processes wait for one.
pub(super) const TICK: Duration = Duration::from_millis(500);
/// Time after which the lock is no longer renewed, so that a translation that never ends does not
/// block other processes.
const HOPELESS: Duration = Duration::from_secs(600);

/// Upper bound in bytes on the address space for a request, its copies and threads, without the
/// translator.
const ROOM: usize = 16 << 20;

/// Permitted sources of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reuse {
    /// The store, with the translator as fallback.
    Allowed,
    /// Only the translator, because the device rejected the code from the disk.
    Never,
}

/// Device index of the thread that did the work, and its result.
type Landed = (u32, Result<Obtained, RuntimeError>);

/// Obtains code from the store or the translator, once per key.
pub(super) struct Codes {
    pub(super) store: CodeStore,
    pub(super) cache: Arc<DiskCache>,
    pub(super) statistics: Arc<Statistics>,
    translator: Arc<LazyTranslator>,
    dump: Dump,
    /// Announced compilations; `None` if announcements are off.
    announced: Option<Progress>,
    /// The key contains `Reuse`: a thread that needs a fresh translation must not receive the
    /// result of one that may read the store.
    flights: SingleFlight<Flight, Landed>,
    /// Called with a device before a launch has code assembled for it.
    pub(super) before_assembly: OnceLock<Told>,
    /// Flights of the background, which launches wait for while they get on.
    pulses: Pulses,
}

/// Key of concurrent calls that share a result. A launch does not join work that nobody waits for,
/// because that may take any time. A flight of the parent's never lands in a forked child, so
/// that the process is part of the key.
type Flight = (CacheKey, Reuse, Waiting, u32);

/// Those who wait for code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Waiting {
    /// A launch: a long compilation is announced.
    Launch,
    /// Nothing.
    Nobody,
    /// Nothing, and the code may never be needed: no failure is remembered, and no request kept.
    Guess(Part),
}

/// The work that is done for code which may never be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The translator's: no library of a vendor is called.
    Translation,
    /// Also that of the assembler.
    All,
}

/// A function that is told of a device.
pub(super) type Told = Box<dyn Fn(&DeviceEntry) + Send + Sync>;

/// A request for code: one translation for one device.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) codes: &'a Codes,
    pub(super) device: &'a DeviceEntry,
    pub(super) translation: &'a Translation,
    pub(super) waiting: Waiting,
}

/// True if a replay of the request can reproduce the error.
fn can_be_replayed(cause: &TranslateCause) -> bool {
    !matches!(cause, TranslateCause::Io { .. } | TranslateCause::Unavailable { .. } | TranslateCause::OutOfMemory)
}

impl Codes {
    /// Defers all searching. `dump` is the folder for the steps of translations.
    pub(super) fn new(
        cache: &Arc<DiskCache>,
        translator: &Arc<LazyTranslator>,
        statistics: &Arc<Statistics>,
        dump: Option<PathBuf>,
        announces: bool,
    ) -> Self {
        Codes {
            store: CodeStore::new(Arc::clone(cache), Arc::clone(statistics)),
            cache: Arc::clone(cache),
            statistics: Arc::clone(statistics),
            translator: Arc::clone(translator),
            dump: Dump::new(dump),
            announced: announces.then(Progress::default),
            flights: SingleFlight::default(),
            before_assembly: OnceLock::new(),
            pulses: Pulses::default(),
        }
    }

    /// Code of a translation for a device. Concurrent calls for one key share one result.
    pub(super) fn obtain(
        &self,
        device: &DeviceEntry,
        translation: &Translation,
        reuse: Reuse,
        waiting: Waiting,
    ) -> Result<Obtained, RuntimeError> {
        let (work, mut led) = (Work { codes: self, device, translation, waiting }, false);
        let flight = (translation.key.digest, reuse, waiting, process::id());
        let mut fly = || {
            self.flights.run(&flight, || {
                led = true;
                (device.index, work.obtain(reuse).inspect(|found| work.tell(found)))
            })
        };
        let (leader, result) = match waiting {
            Waiting::Launch => {
                translation.keys().for_each(|key| self.pulses.wait(&key.digest));
                fly()
            }
            Waiting::Nobody | Waiting::Guess(_) => self.pulses.run(translation.key.digest, fly),
        };
        match result {
            Err(error) if leader != device.index && is_of_device(&error) => work.obtain(reuse),
            // The leader's code was assembled for a device that needs other machine code of the
            // same target, such as a GPU of another generation.
            Ok(found) if !led && !device.device.is_assembled(&found.code) => work.obtain(Reuse::Allowed),
            Ok(found) if !led => Ok(found.shared()),
            result => result,
        }
    }
}

impl Codes {
    /// Code that is in this process or on disk, and that the device can load.
    pub(super) fn stored(&self, device: &DeviceEntry, translation: &Translation) -> Option<Obtained> {
        let found =
            self.store.find(&*device.device, translation).filter(|found| device.device.is_assembled(&found.code))?;
        Work { codes: self, device, translation, waiting: Waiting::Launch }.tell(&found);
        Some(self.store.served(found))
    }

    /// Called before a launch has code assembled for a device.
    pub(super) fn assembles(&self, device: &DeviceEntry) {
        self.before_assembly.get().inspect(|told| told(device));
    }

    /// Size in bytes of the code of a translation, assembled or not.
    pub(super) fn size(&self, device: &DeviceEntry, translation: &Translation) -> Option<usize> {
        let sizes = |result: &Translation| Some(self.store.find(&*device.device, result)?.code.bytes.len());
        translation.results().find_map(sizes)
    }

    /// True if there is no code of a translation, and no launch is making it.
    pub(super) fn lacks(&self, device: &DeviceEntry, translation: &Translation, part: Part) -> bool {
        let key = translation.key.digest;
        let is_made = self.flights.has(&(key, Reuse::Allowed, Waiting::Launch, process::id()));
        let is_enough = |found: &Obtained| part == Part::Translation || device.device.is_assembled(&found.code);
        let find = |result: &Translation| self.store.find(&*device.device, result).filter(is_enough);
        !is_made
            && self.store.failure(key, device.index).is_none()
            && translation.results().all(|one| find(one).is_none())
    }
}

impl Work<'_> {
    fn obtain(&self, reuse: Reuse) -> Result<Obtained, RuntimeError> {
        let Work { codes: Codes { store, cache, .. }, device, translation, .. } = *self;
        if let Some(error) = store.failure(translation.key.digest, device.index) {
            return Err(error);
        }
        let stored = || translation.results().find_map(|result| store.find(&*device.device, result));
        let find = || (reuse == Reuse::Allowed).then(stored).flatten();
        if let Some(ready) = find().filter(|found| device.device.is_assembled(&found.code)) {
            return Ok(store.served(ready));
        }
        let lock = cache.lock(&self.lock_key(), &translation.config.entry);
        // Another process may have finished between the lookup and the lock.
        if let Some(found) = find()
            && let Some(ready) = self.assemble_stored(lock.as_ref(), found)?
        {
            return Ok(store.served(ready));
        }
        let result = self.translate(lock.as_ref());
        if let Err(error) = &result
            && is_lasting(error)
            && !self.is_guess()
        {
            store.fail(translation.key.digest, device.index, error);
        }
        result
    }

    /// Key of the lock between processes. Work that no launch waits for has one of its own, because
    /// it may take long on a busy machine, and launches of other processes must not wait for it.
    fn lock_key(&self) -> CacheKey {
        let CacheKey(digest) = self.translation.key.digest;
        match self.waiting {
            Waiting::Launch => CacheKey(digest),
            Waiting::Nobody | Waiting::Guess(_) => CacheKey(digest.map(|byte| !byte)),
        }
    }

    pub(super) fn is_guess(&self) -> bool {
        matches!(self.waiting, Waiting::Guess(_))
    }

    /// Passes the translator's remarks on, once in a process for each code that a launch waits for.
    /// Full code that follows has those of quick code.
    fn tell(&self, found: &Obtained) {
        if found.source == Source::Memory || self.waiting != Waiting::Launch {
            return;
        }
        let kernel = || readable(&self.translation.config.entry);
        for remark in &found.code.entry.remarks {
            match remark {
                Remark::Decision(text) => tracing::debug!("{}: {text}", kernel()),
                Remark::Warning(text) => tracing::warn!("{}: {text}", kernel()),
            }
        }
    }

    fn translate(&self, lock: Option<&KeyLock>) -> Result<Obtained, RuntimeError> {
        let Work { codes, translation, .. } = *self;
        let translator = codes.translator.open()?;
        self.expect_room()?;
        let observer = codes.dump.observer();
        let (request, start) = (translation.request(&codes.cache)?, Instant::now());
        let _span = self.span("translate");
        let result = self.announced(lock, |tick| deep::during(TICK, tick, || translator.translate(&request, observer)));
        let translate = start.elapsed();
        let code = Arc::new(self.counted(translate, &request, result)?);
        tracing::info!(?translate, "translated");
        let owner = translation.owner(&code);
        let key = owner.key_of(&code.entry).digest;
        let found = Obtained { translate, ..Obtained::new(code, key, Source::Translated) };
        Work { translation: owner, ..*self }.assemble_translated(lock, &request, found)
    }

    /// A span of the trace, with the kernel and the use of the code.
    pub(super) fn span(&self, name: &'static str) -> trace::Span {
        let tier = match self.translation.config.opt_level {
            OptLevel::O1 => "quick",
            OptLevel::O0 => "unoptimised",
            OptLevel::O3 => "full",
        };
        let kernel = || readable(&self.translation.config.entry);
        trace::span(name, || [("kernel", kernel()), ("tier", tier.to_owned())])
    }

    /// The result of the translator, which is counted, and whose failure is kept for a replay.
    fn counted(
        &self,
        translate: Duration,
        request: &TranslateRequest,
        result: Result<CodeObject, TranslateError>,
    ) -> Result<CodeObject, RuntimeError> {
        let statistics = &self.codes.statistics;
        add(&statistics.translate_nanoseconds, translate);
        let code = result.map_err(|error| self.keep_request(request, error))?;
        count(&statistics.translated);
        Ok(code)
    }

    /// Fails if there is too little memory for a request and its result, because Rust aborts the
    /// process if an allocation fails.
    fn expect_room(&self) -> Result<(), TranslateError> {
        if system::has_address_space(ROOM) {
            return Ok(());
        }
        let (kernel, target) = (self.translation.config.entry.clone(), self.translation.target.to_string());
        Err(TranslateError {
            stage: "memory".to_owned(),
            kernel,
            target,
            replay: None,
            cause: TranslateCause::OutOfMemory,
        })
    }

    /// Runs long work with an action for it, which renews the lock for other processes and shows
    /// progress to the user. The work sees to it that the action is called every [`TICK`].
    pub(super) fn announced<R>(&self, lock: Option<&KeyLock>, run: impl FnOnce(&(dyn Fn(Duration) + Sync)) -> R) -> R {
        let Translation { config, target, .. } = self.translation;
        let announced = self.codes.announced.as_ref().filter(|_| self.waiting == Waiting::Launch);
        let _under_way = announced.map(|progress| progress.start(&config.entry, target.to_string()));
        run(&|elapsed| {
            if let Some(lock) = lock.filter(|_| elapsed < HOPELESS) {
                lock.renew();
            }
            announced.inspect(|progress| progress.show());
        })
    }

    /// Saves the request for `llvm-to-*-tool --replay`, if a replay can reproduce the error.
    fn keep_request(&self, request: &TranslateRequest, mut error: TranslateError) -> RuntimeError {
        if can_be_replayed(&error.cause) && !self.is_guess() {
            error.replay = error.replay.or_else(|| self.save_request(request));
        }
        error.into()
    }

    /// Saves the request of a failure. Returns its path.
    pub(super) fn save_request(&self, request: &TranslateRequest) -> Option<PathBuf> {
        self.codes.cache.save_failed(&self.translation.key.digest, &request.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_wants_a_translation_does_not_join_one_that_may_reuse_code() {
        let flights: SingleFlight<Flight, Landed> = SingleFlight::default();
        let key = |reuse| (CacheKey([7; 32]), reuse, Waiting::Launch, process::id());
        let answer = |message: &str| (0, Err(RuntimeError::Internal { message: message.to_owned() }));
        let result = flights.run(&key(Reuse::Allowed), || flights.run(&key(Reuse::Never), || answer("translated")));
        assert!(matches!(result.1, Err(RuntimeError::Internal { message }) if message == "translated"));
    }

    #[test]
    fn only_what_the_request_shows_is_replayed() {
        let message = String::new;
        let causes = [
            TranslateCause::Io { path: message(), message: message() },
            TranslateCause::Unavailable { message: message() },
            TranslateCause::Link { message: message() },
            TranslateCause::Internal { message: message() },
            TranslateCause::OutOfMemory,
        ];
        assert_eq!(causes.each_ref().map(can_be_replayed), [false, false, true, true, false]);
    }
}
