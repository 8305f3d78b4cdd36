//! Finds the loaded kernel of a launch.
//!
//! There are two levels: a few recent kernels per thread, found without a lock, and a table shared
//! by all threads. A recent kernel stores the size of its last launch and the resolved shape, so
//! that a repeated launch skips checks and choices. *Invariant:* an entry that belongs to an
//! unregistered container, or contains functions of one, is never found again, because
//! unregistering starts a new generation. A generation belongs to one runtime.
#![forbid(unsafe_code)]

use super::{
    bound::{Bound, Leads},
    shape::{LaunchShape, LaunchSize},
    values::{Digest, Leaves},
};
use crate::{
    abi,
    code::{single_flight::SingleFlight, tiers::JitMode, variant::ShapeClass},
    device_globals::constants::Knowledge,
    error::RuntimeError,
    forks::{self, ForkSafe},
    queue::place::Place,
    sync::{self, AtomicU64, Map},
};
use std::{
    cell::RefCell,
    mem,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Number of kernels that a thread finds without the shared table. A loop over at most this many
/// kernels never uses it.
const RECENT: usize = 8;

/// Key of a loaded kernel: descriptor, device and mode of the queue, shape class and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct HotKey {
    descriptor: usize,
    place: Place,
    /// Class of launches that the kernel serves.
    pub(super) class: ShapeClass,
    /// Digest of the values that it is specialised on.
    values: Digest,
}

impl HotKey {
    pub(super) fn new(kernel: *const abi::Kernel, place: Place, class: ShapeClass, values: Digest) -> Self {
        HotKey { descriptor: kernel.addr(), place, class, values }
    }

    /// The same key for these values.
    pub(super) fn with_values(self, values: Digest) -> Self {
        HotKey { values, ..self }
    }

    /// The same launch on a queue of another mode.
    pub(super) fn in_mode(self, mode: Option<JitMode>) -> Self {
        HotKey { place: self.place.in_mode(mode), ..self }
    }

    /// The mode of the queue, if it is not that of the settings.
    pub(super) fn mode(&self) -> Option<JitMode> {
        self.place.mode()
    }
}

/// A fact about a launch that determines its kernel.
#[derive(Debug, Clone)]
pub(super) enum Question {
    /// The launch leaves the work-group size open, and the kernel requires this one.
    GroupSize([u32; 3]),
    /// The values of these arguments.
    Values(Arc<Leaves>),
}

/// Entry of a key in the table.
#[expect(clippy::large_enum_variant, reason = "a pointer to the kernel would be followed in each launch")]
pub(super) enum Entry {
    /// Launches with this key run this kernel.
    Kernel(Bound),
    /// The key has to be more specific.
    Asks(Question),
}

/// Size of a submitted launch and the shape that it was resolved to.
#[derive(Clone, Copy)]
struct Last {
    size: LaunchSize,
    shape: LaunchShape,
}

impl Entry {
    /// True if the entry may become invalid when any container is unregistered.
    fn has_imports(&self) -> bool {
        matches!(self, Entry::Kernel(bound) if bound.has_imports)
    }

    /// True if launches pass variables of the device by value.
    fn has_constants(&self) -> bool {
        matches!(self, Entry::Kernel(bound) if bound.has_constants())
    }
}

struct Recent {
    generation: u64,
    key: HotKey,
    entry: Arc<Entry>,
    /// Only for kernels without values, because values are part of the key.
    last: Option<Last>,
}

impl Recent {
    /// Kernel and shape, if a launch without values repeats the last one.
    #[inline]
    fn repeated(&self, kernel: usize, place: Place, size: &LaunchSize) -> Option<(&Bound, &LaunchShape)> {
        let last = self.last.as_ref()?;
        if self.key.descriptor != kernel || self.key.place != place || last.size != *size {
            return None;
        }
        if let Entry::Kernel(bound) = &*self.entry { Some((bound, &last.shape)) } else { None }
    }
}

/// Recent kernels of one thread; index `next` is replaced next.
struct RecentKernels {
    entries: [Option<Recent>; RECENT],
    next: usize,
}

sync::thread_local! {
    static KERNELS: RefCell<RecentKernels> =
        const { RefCell::new(RecentKernels { entries: [const { None }; RECENT], next: 0 }) };
}

/// Registers the destructor of the calling thread's recent kernels with the C library.
pub(crate) fn note_destructors() {
    let _ = KERNELS.try_with(|_| ());
}

impl RecentKernels {
    fn find(&self, generation: u64, key: &HotKey) -> Option<&Entry> {
        let mut known = self.entries.iter().flatten();
        known.find(|recent| recent.generation == generation && recent.key == *key).map(|recent| &*recent.entry)
    }

    #[inline]
    fn find_repeated(
        &self,
        generation: u64,
        kernel: usize,
        place: Place,
        size: &LaunchSize,
    ) -> Option<(&Bound, &LaunchShape)> {
        let known = self.entries.iter().flatten().filter(|recent| recent.generation == generation);
        known.filter_map(|recent| recent.repeated(kernel, place, size)).next()
    }

    fn insert(&mut self, recent: Recent) -> Option<Recent> {
        let slot = self.next;
        self.next = (slot + 1) % RECENT;
        self.entries[slot].replace(recent)
    }
}

/// A generation that no runtime has used.
fn next_generation() -> u64 {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed) as u64
}

/// An entry of the table that all threads share.
struct Shared {
    container: usize,
    entry: Arc<Entry>,
}

/// Loaded kernels of a runtime.
pub(super) struct HotTable {
    /// Threads drop recent kernels of another generation.
    generation: AtomicU64,
    /// How often something that kernels contain became invalid.
    losses: AtomicU64,
    constants: Arc<Knowledge>,
    entries: ForkSafe<Map<HotKey, Shared>>,
    /// Entries that are being made, with the number of losses before.
    making: SingleFlight<(HotKey, u64), Result<Arc<Entry>, RuntimeError>>,
}

impl HotTable {
    pub(super) fn new(constants: Arc<Knowledge>) -> Self {
        HotTable {
            constants,
            generation: AtomicU64::new(next_generation()),
            losses: AtomicU64::new(0),
            entries: ForkSafe::new(Map::new()),
            making: SingleFlight::default(),
        }
    }

    /// Entry of `key` in the shared table, made once by concurrent threads. `make` receives the
    /// number of losses to insert it with. No other thread forks meanwhile. Launches after a loss
    /// do not wait for an entry that was begun before.
    fn find(
        &self,
        key: &HotKey,
        make: impl FnOnce(u64) -> Result<Arc<Entry>, RuntimeError>,
    ) -> Result<Arc<Entry>, RuntimeError> {
        let get = || self.entries.with(|entries| entries.get(key).map(|shared| Arc::clone(&shared.entry)));
        let make = || {
            let losses = self.losses();
            self.making.run(&(*key, losses), || get().map_or_else(|| make(losses), Ok))
        };
        match get() {
            Some(entry) => Ok(entry),
            None => forks::between_forks(make),
        }
    }

    /// Current generation.
    #[inline]
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    fn losses(&self) -> u64 {
        self.losses.load(Ordering::Acquire)
    }

    /// Inserts an entry that was made after `losses`. One that may contain something that became
    /// invalid meanwhile is not inserted, so that no other launch finds it.
    pub(super) fn insert(
        &self,
        key: HotKey,
        container: *const abi::Container,
        entry: Entry,
        losses: u64,
    ) -> Arc<Entry> {
        let (may_be_lost, entry) = (entry.has_imports() || entry.has_constants(), Arc::new(entry));
        let shared = Shared { container: container.addr(), entry: Arc::clone(&entry) };
        self.entries.with(|entries| {
            // Looked at under the map's lock: what is inserted before a loss is removed after it.
            let place = entries.entry(key);
            if !(may_be_lost && self.losses() != losses) {
                place.insert(shared);
            }
        });
        entry
    }

    /// The entry of a key that has taken the place of one with a kernel of this reach, or that
    /// entry; `None` if it was forgotten.
    pub(super) fn successor(&self, key: &HotKey, leads: &Arc<Leads>) -> Option<Arc<Entry>> {
        let entry = self.entries.with(|entries| Some(Arc::clone(&entries.get(key)?.entry)))?;
        let is_same = matches!(&*entry, Entry::Kernel(bound) if Arc::ptr_eq(&bound.leads, leads));
        is_same.then_some(entry)
    }

    /// Replaces an entry by another one for the same launches, unless it was forgotten meanwhile.
    /// Launches that are being submitted use the old one to their end; each thread finds the new
    /// one at its next launch.
    pub(super) fn replace(&self, key: &HotKey, old: &Arc<Entry>, entry: Entry) -> bool {
        let entry = Arc::new(entry);
        let replaced = self.entries.with(|entries| {
            let shared = entries.get_mut(key).filter(|shared| Arc::ptr_eq(&shared.entry, old));
            shared.map(|mut shared| mem::replace(&mut shared.entry, entry))
        });
        if replaced.is_some() {
            self.generation.store(next_generation(), Ordering::Release);
        }
        replaced.is_some()
    }

    /// Forgets the kernel of a key, so that the next launch looks for better code.
    pub(super) fn outdate(&self, key: &HotKey) {
        let removed = self.entries.with(|entries| entries.remove(key));
        if removed.is_some() {
            self.generation.store(next_generation(), Ordering::Release);
        }
    }

    /// Forgets the kernels of a container, and those that may contain functions of it. Threads drop
    /// their recent ones at their next lookup of another kernel.
    pub(super) fn forget(&self, container: *const abi::Container) {
        self.lose(|shared| shared.container != container.addr() && !shared.entry.has_imports());
    }

    /// Removes the kernels that get variables of their device by value, and adds no more of them.
    pub(super) fn lose_constants(&self) {
        if self.constants.lose() {
            self.lose(|shared| !shared.entry.has_constants());
        }
    }

    /// Removes other entries, and those that are being made, and lets threads look up their recent
    /// kernels again.
    fn lose(&self, stays: impl Fn(&Shared) -> bool) {
        self.losses.fetch_add(1, Ordering::AcqRel);
        self.entries.with(|entries| entries.retain(|_, shared| stays(shared)));
        // After the removal: threads look up here what they found before.
        self.generation.store(next_generation(), Ordering::Release);
    }

    /// Calls `hit` with kernel and shape, if a launch without values repeats the last launch of a
    /// recent kernel.
    #[inline]
    pub(super) fn again<R>(
        &self,
        kernel: *const abi::Kernel,
        place: Place,
        size: &LaunchSize,
        hit: impl FnOnce(&Bound, &LaunchShape) -> R,
    ) -> Option<R> {
        let generation = self.generation();
        let found = KERNELS.try_with(|kernels| {
            let kernels = kernels.try_borrow().ok()?;
            let (bound, shape) = kernels.find_repeated(generation, kernel.addr(), place, size)?;
            Some(hit(bound, shape))
        });
        found.ok().flatten()
    }

    /// Records size and shape of a launch of `key`, which has no values.
    pub(super) fn note(&self, key: &HotKey, size: LaunchSize, shape: LaunchShape) {
        let generation = self.generation();
        // A failure only costs time at the next launch.
        let _ = KERNELS.try_with(|kernels| {
            let mut kernels = kernels.try_borrow_mut().ok()?;
            let mut known = kernels.entries.iter_mut().flatten();
            let recent = known.find(|recent| recent.generation == generation && recent.key == *key)?;
            recent.last = Some(Last { size, shape });
            Some(())
        });
    }

    /// Calls `hit` with the entry of `key`; `make` makes it on first use.
    pub(super) fn with<R>(
        &self,
        key: HotKey,
        make: impl FnOnce(u64) -> Result<Arc<Entry>, RuntimeError>,
        hit: impl FnOnce(&Entry) -> R,
    ) -> Result<R, RuntimeError> {
        let generation = self.generation();
        let mut hit = Some(hit);
        // Unavailable while the thread ends, and borrowed while a nested launch adds to it.
        let recent = KERNELS.try_with(|kernels| {
            let kernels = kernels.try_borrow().ok()?;
            let entry = kernels.find(generation, &key)?;
            hit.take().map(|hit| hit(entry))
        });
        match (recent, hit) {
            (Ok(Some(result)), _) => Ok(result),
            (_, Some(hit)) => {
                let entry = self.find(&key, make)?;
                remember(Recent { generation, key, entry: Arc::clone(&entry), last: None });
                Ok(hit(&entry))
            }
            (_, None) => Err(RuntimeError::Internal { message: "a launch was lost".to_owned() }),
        }
    }
}

fn remember(recent: Recent) {
    let replaced = KERNELS.try_with(|kernels| kernels.try_borrow_mut().ok()?.insert(recent));
    // Dropped outside the borrow, because unloading a kernel runs code of the driver.
    drop(replaced);
}
