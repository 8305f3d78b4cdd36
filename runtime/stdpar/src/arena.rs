//! Memory of the device, in runs of units.
//!
//! In: a number of units. Out: a run of them in a piece of shared memory, or a piece of its own for
//! a very large block. *Invariant:* neither the first nor the last unit of a piece is ever handed
//! out, so that no pointer to an object, or to the end of one, is the start or the end of a piece:
//! it cannot be taken for a pointer to what lies beside the piece. The arena is not held while the
//! runtime is called: a driver may come back here, by operators of the program.

use crate::{
    map::{self, Owner},
    runtime,
    unit::UNIT,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Units of a block that gets a piece of its own, which its end gives back to the device.
pub(crate) const ALONE: usize = 512;
/// Bytes of the first piece; each further one is twice as large.
const FIRST: usize = 64 << 20;
const MOST: usize = 1 << 30;
/// Units beside a piece that are not used: one may be lost to the alignment of the start.
const MARGIN: usize = 3;

struct Arena {
    /// Units of the free runs, by address.
    runs: BTreeMap<usize, usize>,
    /// The same, by units.
    sizes: BTreeSet<(usize, usize)>,
    /// Start of the pieces with one block, by the block's address.
    alone: BTreeMap<usize, usize>,
    /// Units of all pieces, by their first usable address.
    pieces: BTreeMap<usize, usize>,
    /// True if a child process does not get the memory.
    is_kept: bool,
    next: usize,
}

static ARENA: Mutex<Arena> = Mutex::new(Arena {
    runs: BTreeMap::new(),
    sizes: BTreeSet::new(),
    alone: BTreeMap::new(),
    pieces: BTreeMap::new(),
    is_kept: false,
    next: FIRST,
});

/// The arena while nobody else uses it.
pub(crate) struct Held(MutexGuard<'static, Arena>);

/// Holds the arena, if a child process does not get its memory.
pub(crate) fn hold() -> Option<Held> {
    let arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
    arena.is_kept.then_some(Held(arena))
}

impl Held {
    /// Start and bytes of all memory that is not free.
    pub(crate) fn used(&self) -> Vec<(usize, usize)> {
        let mut used = Vec::new();
        for (first, units) in &self.0.pieces {
            let (mut start, end) = (*first, first + units * UNIT);
            for (free, count) in self.0.runs.range(start..end) {
                used.push((start, free - start));
                start = free + count * UNIT;
            }
            used.push((start, end - start));
        }
        used.retain(|(_, bytes)| *bytes > 0);
        used
    }
}

fn with_arena<R>(action: impl FnOnce(&mut Arena) -> R) -> R {
    action(&mut ARENA.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The first usable address of a piece.
fn first_of(start: usize) -> usize {
    (start + UNIT).next_multiple_of(UNIT)
}

/// A piece of shared memory: its start, and the usable part of it. The arena must not be held.
fn piece(units: usize) -> Option<(usize, usize)> {
    let bytes = units.checked_add(MARGIN)?.checked_mul(UNIT)?;
    let start = runtime::memory(bytes)?;
    let first = first_of(start);
    if with_arena(|_| map::cover(first, first + units * UNIT)) {
        return Some((start, first));
    }
    runtime::release(start);
    None
}

/// Adds a piece with a run of `units` to the arena.
fn grow(units: usize) -> Option<()> {
    let usual = with_arena(|arena| {
        let usual = arena.next / UNIT;
        arena.next = (arena.next * 2).min(MOST);
        usual
    });
    let (count, (_, first)) = [usual.max(units), units].into_iter().find_map(|count| Some((count, piece(count)?)))?;
    with_arena(|arena| {
        arena.pieces.insert(first, count);
        arena.add(first, count);
    });
    Some(())
}

impl Arena {
    fn insert(&mut self, address: usize, units: usize) {
        self.runs.insert(address, units);
        self.sizes.insert((units, address));
    }

    fn remove(&mut self, address: usize) -> usize {
        let units = self.runs.remove(&address).unwrap_or_default();
        self.sizes.remove(&(units, address));
        units
    }

    /// Adds a run, joined with the free runs beside it.
    fn add(&mut self, mut address: usize, mut units: usize) {
        let before = self.runs.range(..address).next_back().map(|(start, units)| (*start, *units));
        if let Some((start, count)) = before.filter(|(start, count)| start + count * UNIT == address) {
            self.remove(start);
            (address, units) = (start, units + count);
        }
        let end = address + units * UNIT;
        if self.runs.contains_key(&end) {
            units += self.remove(end);
        }
        self.insert(address, units);
    }

    fn take(&mut self, units: usize, alignment: usize) -> Option<usize> {
        let enough = units + alignment / UNIT - 1;
        let (_, start) = *self.sizes.range((enough, 0)..).next()?;
        let length = self.remove(start);
        let address = start.next_multiple_of(alignment);
        let before = (address - start) / UNIT;
        if before > 0 {
            self.insert(start, before);
        }
        let behind = length - before - units;
        if behind > 0 {
            self.insert(address + units * UNIT, behind);
        }
        Some(address)
    }
}

/// A run of units that starts at a multiple of `alignment`, which is a multiple of [`UNIT`].
pub(crate) fn take(units: usize, alignment: usize) -> Option<usize> {
    loop {
        if let Some(address) = with_arena(|arena| arena.take(units, alignment)) {
            return Some(address);
        }
        // Another thread may have what this one gets.
        grow(units + alignment / UNIT - 1)?;
    }
}

/// Makes a run free.
pub(crate) fn give_back(address: usize, units: usize) {
    with_arena(|arena| arena.add(address, units));
}

/// A block in a piece of its own.
pub(crate) fn take_alone(units: usize, alignment: usize) -> Option<usize> {
    let all = units.checked_add(alignment / UNIT - 1)?;
    let (start, first) = piece(all)?;
    let address = first.next_multiple_of(alignment);
    map::set(address, Owner::Large(units));
    with_arena(|arena| {
        arena.alone.insert(address, start);
        arena.pieces.insert(first, all);
    });
    Some(address)
}

/// Gives the piece of such a block back to the device.
pub(crate) fn give_back_alone(address: usize) {
    map::set(address, Owner::Other);
    let start = with_arena(|arena| {
        let start = arena.alone.remove(&address)?;
        arena.pieces.remove(&first_of(start));
        Some(start)
    });
    if let Some(start) = start {
        runtime::release(start);
    }
}

/// Gets the first piece. False if the device has none.
pub(crate) fn begin() -> bool {
    let has_memory = grow(1).is_some();
    if has_memory {
        runtime::set_finder();
    }
    let first = with_arena(|arena| arena.pieces.keys().next().copied());
    let is_kept = first.is_some_and(runtime::is_of_gpu);
    with_arena(|arena| arena.is_kept = is_kept);
    has_memory
}
