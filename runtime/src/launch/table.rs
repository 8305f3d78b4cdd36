//! Finds the loaded kernel of a launch.
//!
//! Two levels: a few recent kernels per thread, found without a lock, and a table shared by all threads. A recent kernel knows the
//! size of its last launch and the shape that it became, so that a launch that repeats it checks and chooses nothing again.
//! *Invariant:* an entry of a container that was unregistered, or with functions of one, is never found again, because unregistering
//! starts a new generation; a generation belongs to one runtime.
#![forbid(unsafe_code)]

use super::{
    pack::PackPlan,
    shape::LaunchSize,
    values::{Digest, Leaves},
};
use crate::{abi, code::variant::ShapeClass, error::RuntimeError, statistics::VariantRecord};
use dashmap::DashMap;
use sinter_core::LaunchShape;
use sinter_driver::Kernel;
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Kernels that a thread finds without looking into the shared table. Loops over up to this many kernels never leave it.
const RECENT: usize = 8;

/// Which kernel, where, for which launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct HotKey {
    descriptor: usize,
    device: u32,
    /// The launches it serves.
    pub(crate) class: ShapeClass,
    /// The values it is specialised on.
    values: Digest,
}

impl HotKey {
    pub(crate) fn new(kernel: *const abi::Kernel, device: u32, class: ShapeClass, values: Digest) -> Self {
        HotKey { descriptor: kernel.addr(), device, class, values }
    }

    /// The same launches, for these values.
    pub(crate) fn with_values(self, values: Digest) -> Self {
        HotKey { values, ..self }
    }
}

/// A loaded kernel and how to pass arguments to it from one descriptor's blocks.
pub(crate) struct Bound {
    pub(crate) kernel: Arc<dyn Kernel>,
    pub(crate) plan: PackPlan,
    pub(crate) record: Arc<VariantRecord>,
    /// Whether the kernel knows a better work-group size than the device, for launches that leave it open.
    pub(crate) chooses_group: bool,
    /// Local memory in bytes that a launch may add to what the kernel declares; below 0 if that is too much already.
    pub(crate) dynamic_limit: i64,
    /// Whether the kernel has functions of other containers.
    pub(crate) has_imports: bool,
    /// The kernel is right only for launches whose pointers lead to allocations in the same
    /// pattern, or gains where another pattern is known.
    pub(crate) depends_on_allocations: bool,
}

/// What is known about the launches of a key.
pub(crate) enum Entry {
    /// They run this kernel.
    Kernel(Bound),
    /// The kernel requires this work-group size, and they leave it open.
    Group([u32; 3]),
    /// Which kernel they run depends on the values of arguments.
    Leaves(Arc<Leaves>),
}

/// The size of a launch that was submitted, and the shape that it ran in.
#[derive(Clone, Copy)]
struct Last {
    size: LaunchSize,
    shape: LaunchShape,
}

impl Entry {
    /// Whether it may change when any container goes.
    fn has_imports(&self) -> bool {
        matches!(self, Entry::Kernel(Bound { has_imports: true, .. }))
    }
}

struct Recent {
    generation: u64,
    key: HotKey,
    entry: Arc<Entry>,
    /// Of a kernel without values: those are part of the key.
    last: Option<Last>,
}

impl Recent {
    /// Kernel and shape, if a launch without values repeats the last one.
    #[inline]
    fn repeated(&self, kernel: usize, device: u32, size: &LaunchSize) -> Option<(&Bound, &LaunchShape)> {
        let last = self.last.as_ref()?;
        if self.key.descriptor != kernel || self.key.device != device || last.size != *size {
            return None;
        }
        if let Entry::Kernel(bound) = &*self.entry { Some((bound, &last.shape)) } else { None }
    }
}

/// The recent kernels of one thread; `next` is replaced next.
struct RecentKernels {
    entries: [Option<Recent>; RECENT],
    next: usize,
}

thread_local! {
    static KERNELS: RefCell<RecentKernels> =
        const { RefCell::new(RecentKernels { entries: [const { None }; RECENT], next: 0 }) };
}

/// Registers the destructor of the calling thread's kernels with the C library.
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
        device: u32,
        size: &LaunchSize,
    ) -> Option<(&Bound, &LaunchShape)> {
        let known = self.entries.iter().flatten().filter(|recent| recent.generation == generation);
        known.filter_map(|recent| recent.repeated(kernel, device, size)).next()
    }

    fn insert(&mut self, recent: Recent) -> Option<Recent> {
        let slot = self.next;
        self.next = (slot + 1) % RECENT;
        self.entries[slot].replace(recent)
    }
}

/// A number that no runtime used before.
fn next_generation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

struct Shared {
    container: usize,
    entry: Arc<Entry>,
}

/// The loaded kernels of a runtime.
pub(crate) struct HotTable {
    generation: AtomicU64,
    kernels: DashMap<HotKey, Shared>,
}

impl HotTable {
    pub(crate) fn new() -> Self {
        HotTable { generation: AtomicU64::new(next_generation()), kernels: DashMap::new() }
    }

    /// The kernel of `key` in the shared table.
    pub(crate) fn get(&self, key: &HotKey) -> Option<Arc<Entry>> {
        self.kernels.get(key).map(|shared| Arc::clone(&shared.entry))
    }

    /// The present generation.
    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Adds an entry that was made since `generation`. One with imports is not kept if a container went meanwhile, which may
    /// be theirs.
    pub(crate) fn insert(&self, key: HotKey, container: *const abi::Container, entry: Arc<Entry>, generation: u64) {
        let has_imports = entry.has_imports();
        self.kernels.insert(key, Shared { container: container.addr(), entry });
        if has_imports && self.generation() != generation {
            self.kernels.remove(&key);
        }
    }

    /// Forgets the kernels of a container, and those that may have functions of it. Threads drop their recent ones when they next look for another.
    pub(crate) fn forget(&self, container: *const abi::Container) {
        // Before, for what is being added; afterwards, for what was found in between.
        self.generation.store(next_generation(), Ordering::Release);
        self.kernels.retain(|_, shared| shared.container != container.addr() && !shared.entry.has_imports());
        self.generation.store(next_generation(), Ordering::Release);
    }

    /// Calls `hit` with kernel and shape, if a launch without values repeats the last one of a recent kernel.
    #[inline]
    pub(crate) fn again<R>(
        &self,
        kernel: *const abi::Kernel,
        device: u32,
        size: &LaunchSize,
        hit: impl FnOnce(&Bound, &LaunchShape) -> R,
    ) -> Option<R> {
        let generation = self.generation();
        let found = KERNELS.try_with(|kernels| {
            let kernels = kernels.try_borrow().ok()?;
            let (bound, shape) = kernels.find_repeated(generation, kernel.addr(), device, size)?;
            Some(hit(bound, shape))
        });
        found.ok().flatten()
    }

    /// Notes the size of a launch of `key`, whose values are none, and the shape that it ran in.
    pub(crate) fn note(&self, key: &HotKey, size: LaunchSize, shape: LaunchShape) {
        let generation = self.generation();
        // Nothing is lost but time where it is not noted.
        let _ = KERNELS.try_with(|kernels| {
            let mut kernels = kernels.try_borrow_mut().ok()?;
            let mut known = kernels.entries.iter_mut().flatten();
            let recent = known.find(|recent| recent.generation == generation && recent.key == *key)?;
            recent.last = Some(Last { size, shape });
            Some(())
        });
    }

    /// Calls `hit` with the entry of `key`, which `find` gives if this thread did not use it recently.
    pub(crate) fn with<R>(
        &self,
        key: HotKey,
        find: impl FnOnce() -> Result<Arc<Entry>, RuntimeError>,
        hit: impl FnOnce(&Entry) -> R,
    ) -> Result<R, RuntimeError> {
        let generation = self.generation();
        let mut hit = Some(hit);
        // Not available while the thread ends, and borrowed while a launch inside a launch adds to it.
        let recent = KERNELS.try_with(|kernels| {
            let kernels = kernels.try_borrow().ok()?;
            let entry = kernels.find(generation, &key)?;
            hit.take().map(|hit| hit(entry))
        });
        match (recent, hit) {
            (Ok(Some(result)), _) => Ok(result),
            (_, Some(hit)) => {
                let entry = find()?;
                remember(Recent { generation, key, entry: Arc::clone(&entry), last: None });
                Ok(hit(&entry))
            }
            (_, None) => Err(RuntimeError::Internal { message: "a launch was lost".to_owned() }),
        }
    }
}

fn remember(recent: Recent) {
    let replaced = KERNELS.try_with(|kernels| kernels.try_borrow_mut().ok()?.insert(recent));
    // Dropped outside the borrow: unloading a kernel runs code of the driver.
    drop(replaced);
}
