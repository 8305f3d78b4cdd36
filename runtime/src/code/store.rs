//! Code that exists already, in this process or on disk, and remembered failures.
//!
//! In: a translation and a device. Out: its code, if any cache has it. *Invariant:* code that does
//! not depend on the allocations of a launch is stored once, and found by launches with any
//! allocations. The first assembler's machine code is stored under the key of the translation,
//! where all find its source; that of another one has a place of its own, so that two devices of
//! one target do not replace each other's code.
#![forbid(unsafe_code)]

use super::translation::{Key, Translation};
use crate::{
    cache::{DiskCache, Layer},
    error::RuntimeError,
    forks::ForkSafe,
    statistics::{Made, Source, Statistics, count},
};
use dashmap::DashMap;
use sinter_core::{CacheKey, CodeObject, TranslateCause};
use sinter_driver::Device;
use std::{sync::Arc, time::Duration};

/// A code object and the times that it took.
#[derive(Clone)]
pub(super) struct Obtained {
    pub(super) code: Arc<CodeObject>,
    /// Cache key of the code.
    pub(super) key: CacheKey,
    /// Key that it is stored under: another one for machine code of a further assembler.
    pub(super) place: CacheKey,
    pub(super) source: Source,
    pub(super) translate: Duration,
    pub(super) assemble: Duration,
    /// True if this or another thread read it from the disk, so that a fresh translation can help
    /// if the device rejects it.
    pub(super) from_disk: bool,
}

impl Obtained {
    pub(super) fn new(code: Arc<CodeObject>, key: CacheKey, source: Source) -> Self {
        let from_disk = matches!(source, Source::Disk | Source::System);
        Obtained { code, key, place: key, source, translate: Duration::ZERO, assemble: Duration::ZERO, from_disk }
    }

    pub(super) fn made(&self) -> Made {
        let Obtained { source, translate, assemble, .. } = *self;
        Made { level: self.code.level, source, translate, assemble, load: Duration::ZERO }
    }

    /// The same for a thread that waited for another one, which already counted the times.
    pub(super) fn shared(self) -> Self {
        Obtained { source: Source::Memory, translate: Duration::ZERO, assemble: Duration::ZERO, ..self }
    }
}

/// Code objects in this process and on disk, and remembered failures.
pub(super) struct CodeStore {
    cache: Arc<DiskCache>,
    statistics: Arc<Statistics>,
    /// Code that could not be stored on disk.
    unsaved: ForkSafe<DashMap<CacheKey, Arc<CodeObject>>>,
    /// Code that was made before a launch needed it, until one has loaded it.
    prepared: ForkSafe<DashMap<CacheKey, Obtained>>,
    /// By key, and by device if the failure is one of its driver.
    failures: ForkSafe<DashMap<(CacheKey, Option<u32>), RuntimeError>>,
}

/// True if the error follows from the request, or from a state that is permanent in this process.
/// Other errors may be transient: missing files, memory, threads or translators. So may errors of
/// the linker, which never sees code with unresolved symbols.
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

/// True for errors of a driver: another device of the same target may succeed.
pub(super) fn is_of_device(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(_) | RuntimeError::Assemble { .. })
}

/// True if another attempt would fail in the same way.
pub(super) fn is_lasting(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Translate(error) => follows_from_request(&error.cause),
        RuntimeError::Assemble { .. } => true,
        _ => false,
    }
}

impl CodeStore {
    pub(super) fn new(cache: Arc<DiskCache>, statistics: Arc<Statistics>) -> Self {
        let (unsaved, failures) = (ForkSafe::new(DashMap::new()), ForkSafe::new(DashMap::new()));
        CodeStore { cache, statistics, unsaved, prepared: ForkSafe::default(), failures }
    }

    /// Remembers that a key failed: for this device if its driver failed, otherwise for all.
    pub(super) fn fail(&self, key: CacheKey, device: u32, error: &RuntimeError) {
        let key = (key, is_of_device(error).then_some(device));
        self.failures.with(|failures| failures.insert(key, error.clone()));
    }

    /// Remembered failure of a key on a device.
    pub(super) fn failure(&self, key: CacheKey, device: u32) -> Option<RuntimeError> {
        self.failures.with(|failures| {
            let get = |device| failures.get(&(key, device)).map(|error| error.clone());
            get(None).or_else(|| get(Some(device)))
        })
    }

    /// Looks the code up in this process, then on disk. That of the device's assembler comes first.
    pub(super) fn find(&self, device: &dyn Device, translation: &Translation) -> Option<Obtained> {
        translation.keys().find_map(|key| {
            let own = device.assembler().map(|assembler| key.assembled_by(assembler).digest);
            let found = own.into_iter().chain([key.digest]).find_map(|place| self.at(&place));
            let found = found.map(|found| Obtained { key: key.digest, ..found });
            found.filter(|found| translation.accepts(key, &found.code.entry))
        })
    }

    fn at(&self, place: &CacheKey) -> Option<Obtained> {
        let prepared = || self.prepared.with(|prepared| Some(prepared.get(place)?.clone()));
        prepared().or_else(|| self.unsaved(place)).or_else(|| self.on_disk(place))
    }

    fn unsaved(&self, key: &CacheKey) -> Option<Obtained> {
        let code = self.unsaved.with(|unsaved| unsaved.get(key).map(|code| Arc::clone(&code)))?;
        Some(Obtained::new(code, *key, Source::Memory))
    }

    fn on_disk(&self, key: &CacheKey) -> Option<Obtained> {
        let hit = self.cache.get(key)?;
        let source = match hit.layer {
            Layer::User => Source::Disk,
            Layer::System => Source::System,
        };
        Some(Obtained::new(Arc::new(hit.code), *key, source))
    }

    /// Counts the hit.
    pub(super) fn served(&self, found: Obtained) -> Obtained {
        if found.from_disk {
            count(&self.statistics.disk_hits);
        }
        if found.source == Source::System {
            count(&self.statistics.system_hits);
        }
        found
    }

    /// Keeps code for the launch that may need it, at the place where it was stored. The launch has
    /// no part in the times that it took.
    pub(super) fn keep_prepared(&self, made: &Obtained) {
        let kept = Obtained { translate: Duration::ZERO, assemble: Duration::ZERO, ..made.clone() };
        self.prepared.with(|prepared| prepared.insert(made.place, kept));
    }

    /// Code of this place has been loaded or replaced: it is found on disk.
    pub(super) fn drop_prepared(&self, place: &CacheKey) {
        self.prepared.with(|prepared| prepared.remove(place));
    }

    /// Key to store code under: of its own for the device's assembler if `is_further`.
    fn key(&self, device: &dyn Device, translation: &Translation, code: &CodeObject, is_further: bool) -> Key {
        let key = translation.key_of(&code.entry);
        device.assembler().filter(|_| is_further).map_or_else(|| key.clone(), |own| key.assembled_by(own))
    }

    /// Stores the code, on disk or else in this process; at the own place of the device's assembler
    /// if `is_further`. Returns the place, and false if other processes will not find it.
    pub(super) fn save(
        &self,
        device: &dyn Device,
        translation: &Translation,
        code: &Arc<CodeObject>,
        is_further: bool,
    ) -> (CacheKey, bool) {
        let key = self.key(device, translation, code, is_further);
        let is_saved = self.cache.put(&key.fields, code);
        if !is_saved {
            self.unsaved.with(|unsaved| unsaved.insert(key.digest, Arc::clone(code)));
        }
        (key.digest, is_saved)
    }

    /// Stores code of a kernel that was loaded from `found`, to which the device's driver has added
    /// machine code: where that was, but not in place of what another assembler made.
    pub(super) fn keep(
        &self,
        device: &dyn Device,
        translation: &Translation,
        found: &Obtained,
    ) -> impl Fn(&CodeObject) + Send + Sync + use<> {
        let made_by = found.code.assembly.as_ref().map(|assembly| &*assembly.assembler);
        let is_of_another = made_by.is_some_and(|name| device.assembler() != Some(name));
        let is_further = is_of_another || found.place != translation.key_of(&found.code.entry).digest;
        let (cache, key) = (Arc::clone(&self.cache), self.key(device, translation, &found.code, is_further));
        move |code| {
            sinter_signals::with_signals_blocked(|| cache.put(&key.fields, code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
