//! Blocks that threads keep at hand.
//!
//! In: bytes and an alignment, or a block. Out: a block. A thread keeps lists of free small blocks
//! and some large ones, and takes or gives back several at a time. *Invariant:* a block is in one
//! list of one thread, in the list of all threads, or handed out.

use crate::{
    arena, class,
    class::CLASSES,
    map::{self, Owner},
    runtime, state,
    unit::UNIT,
};
use std::{
    cell::Cell,
    ptr,
    sync::{Mutex, PoisonError},
};

/// Bytes of small blocks that move at a time, and the most blocks.
const BATCH_BYTES: usize = 16 << 10;
const BATCH: usize = 32;
/// Units of the largest block that a thread keeps.
const KEPT: usize = 64;
/// Units of the smallest block that is moved to the device as a whole: 2 MiB, the pages of a GPU.
const NOTED: usize = 32;
/// Units of all large blocks that a thread keeps.
const ALL_KEPT: usize = 256;

/// Free blocks of a class. Nothing is written to a free block: its page may be that of a device,
/// and would move to the program, and back with the kernel that uses the block next.
struct List(Vec<usize>);

impl List {
    const EMPTY: List = List(Vec::new());

    /// Without memory for the list, the block is lost.
    fn push(&mut self, block: *mut u8) {
        if self.0.try_reserve(1).is_ok() {
            self.0.push(block.expose_provenance());
        }
    }

    fn pop(&mut self) -> Option<*mut u8> {
        self.0.pop().map(ptr::with_exposed_provenance_mut)
    }
}

/// Blocks of a class that no thread keeps, and the rest of a slab.
struct Central {
    list: List,
    next: usize,
    end: usize,
}

static CENTRAL: [Mutex<Central>; CLASSES] =
    [const { Mutex::new(Central { list: List::EMPTY, next: 0, end: 0 }) }; CLASSES];

impl Central {
    fn of(class: usize) -> std::sync::MutexGuard<'static, Central> {
        CENTRAL[class].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&mut self, class: usize) -> Option<*mut u8> {
        self.list.pop().or_else(|| self.cut(class))
    }

    /// The next block of the slab.
    fn cut(&mut self, class: usize) -> Option<*mut u8> {
        let bytes = class::bytes(class);
        if self.next + bytes > self.end {
            return None;
        }
        self.next += bytes;
        Some(ptr::with_exposed_provenance_mut(self.next - bytes))
    }

    /// Goes on with a new slab. Another thread may have added one meanwhile.
    fn add(&mut self, class: usize, slab: usize) {
        while let Some(block) = self.cut(class) {
            self.list.push(block);
        }
        (self.next, self.end) = (slab, slab + UNIT);
    }
}

/// A block of a class that no thread keeps, and more for the cache of this thread. Nothing may be
/// held: a driver that is asked for memory may come back here, by operators of the program.
#[cold]
fn refill(class: usize) -> Option<*mut u8> {
    loop {
        if let Some(block) = taken_from_central(class) {
            return Some(block);
        }
        let slab = arena::take(1, UNIT)?;
        map::set(slab, Owner::Small(class));
        Central::of(class).add(class, slab);
    }
}

fn taken_from_central(class: usize) -> Option<*mut u8> {
    let mut central = Central::of(class);
    let block = central.take(class)?;
    with_cache(|cache| {
        for _ in 1..batch(class) {
            let Some(next) = central.take(class) else { break };
            cache.small[class].push(next);
        }
    });
    Some(block)
}

fn batch(class: usize) -> usize {
    (BATCH_BYTES / class::bytes(class)).clamp(1, BATCH)
}

/// Blocks that a thread keeps.
struct Cache {
    small: [List; CLASSES],
    /// Large blocks by their units, from 1; 0 where there is none.
    large: [usize; KEPT],
    kept: usize,
}

impl Cache {
    fn keep(&mut self, class: usize, block: *mut u8) {
        self.small[class].push(block);
        if self.small[class].0.len() > 2 * batch(class) {
            self.spill(class, batch(class));
        }
    }

    #[cold]
    fn spill(&mut self, class: usize, count: usize) {
        let mut central = Central::of(class);
        for _ in 0..count {
            let Some(block) = self.small[class].pop() else { return };
            central.list.push(block);
        }
    }

    fn take_large(&mut self, units: usize) -> Option<usize> {
        let slot = self.large.get_mut(units - 1).filter(|slot| **slot != 0)?;
        self.kept -= units;
        Some(std::mem::take(slot))
    }

    fn keep_large(&mut self, address: usize, units: usize) -> bool {
        let Some(slot) = self.large.get_mut(units - 1).filter(|slot| **slot == 0) else { return false };
        if self.kept + units > ALL_KEPT {
            return false;
        }
        (*slot, self.kept) = (address, self.kept + units);
        true
    }

    fn empty(&mut self) {
        for class in 0..CLASSES {
            self.spill(class, usize::MAX);
        }
        for units in 1..=KEPT {
            if let Some(address) = self.take_large(units) {
                end_large(address, units);
            }
        }
    }
}

/// Empties the cache when its thread ends.
struct Ending;

impl Drop for Ending {
    fn drop(&mut self) {
        let cache = CACHE.replace(ptr::null_mut());
        HAS_ENDED.set(true);
        if !cache.is_null() && !state::is_child() {
            // SAFETY: made by `Box::into_raw` in this thread, and no longer found.
            unsafe { Box::from_raw(cache) }.empty();
        }
    }
}

thread_local! {
    static CACHE: Cell<*mut Cache> = const { Cell::new(ptr::null_mut()) };
    static HAS_ENDED: Cell<bool> = const { Cell::new(false) };
    static ENDING: Ending = const { Ending };
}

/// Calls `action` with the thread's cache; `None` in a thread that is ending.
#[inline]
fn with_cache<R>(action: impl FnOnce(&mut Cache) -> R) -> Option<R> {
    let mut cache = CACHE.get();
    if cache.is_null() {
        cache = new_cache()?;
    }
    // SAFETY: the cache of this thread; `action` calls nothing that comes back here.
    Some(action(unsafe { &mut *cache }))
}

#[cold]
fn new_cache() -> Option<*mut Cache> {
    if HAS_ENDED.get() || ENDING.try_with(|_| ()).is_err() {
        return None;
    }
    let cache = Box::into_raw(Box::new(Cache { small: [const { List::EMPTY }; CLASSES], large: [0; KEPT], kept: 0 }));
    CACHE.set(cache);
    Some(cache)
}

/// A block, or null. `alignment` is 0 or any number; a bad one gives null.
#[inline]
pub(crate) fn allocate(bytes: usize, alignment: usize) -> *mut u8 {
    let alignment = alignment.max(1);
    if !alignment.is_power_of_two() {
        return ptr::null_mut();
    }
    let Some(class) = class::of(bytes, alignment) else { return large(bytes, alignment) };
    let block = with_cache(|cache| cache.small[class].pop()).flatten().or_else(|| refill(class));
    block.unwrap_or(ptr::null_mut())
}

fn large(bytes: usize, alignment: usize) -> *mut u8 {
    let units = bytes.max(1).div_ceil(UNIT);
    let alignment = alignment.max(UNIT);
    // More than any machine has, and more than the map can say.
    if units >= 1 << 28 || alignment >= 1 << 40 {
        return ptr::null_mut();
    }
    let kept = if alignment == UNIT { with_cache(|cache| cache.take_large(units)).flatten() } else { None };
    let Some(address) = kept.or_else(|| new_large(units, alignment)) else { return ptr::null_mut() };
    if units >= NOTED {
        runtime::note(address, units * UNIT);
    }
    ptr::with_exposed_provenance_mut(address)
}

fn new_large(units: usize, alignment: usize) -> Option<usize> {
    if units >= arena::ALONE {
        return arena::take_alone(units, alignment);
    }
    let address = arena::take(units, alignment)?;
    map::set(address, Owner::Large(units));
    Some(address)
}

/// Takes a block back.
#[inline]
pub(crate) fn free(block: *mut u8, owner: Owner) {
    match owner {
        Owner::Small(class) => {
            if with_cache(|cache| cache.keep(class, block)).is_none() {
                Central::of(class).list.push(block);
            }
        }
        Owner::Large(units) => free_large(block.addr(), units),
        Owner::Other => {}
    }
}

fn free_large(address: usize, units: usize) {
    if with_cache(|cache| cache.keep_large(address, units)) != Some(true) {
        end_large(address, units);
    }
}

fn end_large(address: usize, units: usize) {
    if units >= arena::ALONE {
        return arena::give_back_alone(address);
    }
    map::set(address, Owner::Other);
    arena::give_back(address, units);
}
