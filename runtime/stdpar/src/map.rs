//! Which addresses are ours.
//!
//! In: an address. Out: the block that starts in its unit of memory, found without a lock. One
//! table has an entry for each 4 GiB of addresses; the table behind it one for each unit.
//! *Invariant:* an entry is written before the block is handed out and changes only while nobody
//! has the block.

use crate::{class, unit::UNIT};
use std::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU32, Ordering},
};

const UNITS: usize = 1 << 16;

type Table = [AtomicU32; UNITS];

static TABLES: [AtomicPtr<Table>; 1 << 16] = [const { AtomicPtr::new(ptr::null_mut()) }; 1 << 16];

/// The owner of an address that was handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Another allocator.
    Other,
    /// A small block of this class.
    Small(usize),
    /// A large block of this many units.
    Large(usize),
}

impl Owner {
    /// Bytes of the block; `None` if it is not ours.
    pub(crate) fn size(self) -> Option<usize> {
        match self {
            Owner::Other => None,
            Owner::Small(class) => Some(class::bytes(class)),
            Owner::Large(units) => Some(units * UNIT),
        }
    }

    fn entry(self) -> u32 {
        match self {
            Owner::Other => 0,
            Owner::Small(class) => (class as u32) << 2 | 1,
            Owner::Large(units) => (units as u32) << 2 | 2,
        }
    }
}

/// The owner of the block at `address`.
#[inline]
pub(crate) fn owner(address: usize) -> Owner {
    let Some(table) = TABLES.get(address >> 32) else { return Owner::Other };
    let table = table.load(Ordering::Acquire);
    if table.is_null() {
        return Owner::Other;
    }
    // SAFETY: a table is complete when its address is stored, and is never removed.
    let entry = unsafe { &(*table)[address / UNIT % UNITS] }.load(Ordering::Relaxed);
    match entry & 3 {
        1 => Owner::Small((entry >> 2) as usize),
        2 => Owner::Large((entry >> 2) as usize),
        _ => Owner::Other,
    }
}

/// Units of the largest block that is found from its end.
const MOST: usize = 1 << 12;

/// Start and bytes of the block that an address lies in. Only for an address in a block that is
/// handed out.
pub(crate) fn around(address: usize) -> Option<(usize, usize)> {
    let unit = address / UNIT * UNIT;
    let block = |start| match owner(start) {
        Owner::Other => None,
        Owner::Large(units) => Some((start, units * UNIT)),
        Owner::Small(class) => {
            let bytes = class::bytes(class);
            Some((start + (address - start) / bytes * bytes, bytes))
        }
    };
    let (start, bytes) = (0..MOST).map_while(|count| unit.checked_sub(count * UNIT)).find_map(block)?;
    (address - start < bytes).then_some((start, bytes))
}

/// A table of zeros, which takes memory only where it is used; null if there is none.
fn new_table() -> *mut Table {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the system's choice affects nothing that exists.
    let memory = unsafe { libc::mmap(ptr::null_mut(), size_of::<Table>(), protection, flags, -1, 0) };
    if memory == libc::MAP_FAILED { ptr::null_mut() } else { memory.cast() }
}

/// Makes room for the owners of a range. False if there is no memory for that, or if no address of
/// a program can be in the range. Only one thread at a time may call it.
pub(crate) fn cover(start: usize, end: usize) -> bool {
    (start >> 32..=(end - 1) >> 32).all(|index| {
        let Some(slot) = TABLES.get(index) else { return false };
        if slot.load(Ordering::Acquire).is_null() {
            slot.store(new_table(), Ordering::Release);
        }
        !slot.load(Ordering::Acquire).is_null()
    })
}

/// Sets the owner of a unit in a range that is covered.
pub(crate) fn set(address: usize, owner: Owner) {
    let table = TABLES[address >> 32].load(Ordering::Acquire);
    // SAFETY: the range is covered, and a table is never removed.
    unsafe { &(*table)[address / UNIT % UNITS] }.store(owner.entry(), Ordering::Relaxed);
}
