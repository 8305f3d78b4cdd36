//! Memory of the program that it has registered.
//!
//! In: ranges of memory. Out: the registration around an address. *Invariant:* ranges do not
//! overlap, whichever device they were registered with.

use std::{
    collections::BTreeMap,
    sync::{
        PoisonError, RwLock, RwLockWriteGuard,
        atomic::{AtomicBool, Ordering},
    },
};

/// A range of registered memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Registration {
    pub(crate) start: usize,
    /// Size in bytes, not 0.
    pub(crate) size: usize,
    /// Number of the device that it was registered with.
    pub(crate) device: u32,
    /// Address of the start for kernels.
    pub(crate) seen: usize,
}

/// Registrations, by start.
type Table = BTreeMap<usize, Registration>;

static TABLE: RwLock<Table> = RwLock::new(Table::new());
/// False until a program registers memory, so that queries about pointers need not lock.
static ANY: AtomicBool = AtomicBool::new(false);

fn table() -> RwLockWriteGuard<'static, Table> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

/// The registration with the highest start at or below an address, if it reaches that address.
fn reaching(table: &Table, address: usize) -> Option<Registration> {
    let (_, found) = table.range(..=address).next_back()?;
    (address - found.start < found.size).then_some(*found)
}

/// Enters a registration. False, without an effect, if a part of the range is registered.
pub(crate) fn enter(new: Registration) -> bool {
    let (mut table, last) = (table(), new.start + (new.size - 1));
    let is_free = reaching(&table, new.start).is_none() && table.range(new.start..=last).next().is_none();
    if is_free {
        table.insert(new.start, new);
        ANY.store(true, Ordering::Release);
    }
    is_free
}

/// Sets the address for kernels.
pub(crate) fn settle(start: usize, seen: usize) {
    if let Some(found) = table().get_mut(&start) {
        found.seen = seen;
    }
}

/// Removes the registration that starts at `start`.
pub(crate) fn leave(start: usize) -> Option<Registration> {
    table().remove(&start)
}

/// The registration that contains an address.
pub(crate) fn around(address: usize) -> Option<Registration> {
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    reaching(&TABLE.read().unwrap_or_else(PoisonError::into_inner), address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap() {
        let of = |start, size| Registration { start, size, device: 0, seen: start };
        assert!(enter(of(1000, 100)) && enter(of(1100, 50)) && enter(of(900, 100)));
        for (start, size) in [(1000, 100), (1000, 1), (950, 51), (1149, 1), (0, 901), (0, 5000)] {
            assert!(!enter(of(start, size)), "{size} bytes at {start}");
        }
        assert_eq!([899, 900, 999, 1149, 1150].map(|at| around(at).map(|found| found.start)), {
            [None, Some(900), Some(900), Some(1100), None]
        });
        settle(1000, 7);
        assert_eq!(leave(1001), None);
        assert_eq!(leave(1000).map(|found| found.seen), Some(7));
        assert!(leave(1000).is_none() && enter(of(1000, 100)));
        assert!([900, 1000, 1100].map(leave).iter().all(Option::is_some));
    }
}
