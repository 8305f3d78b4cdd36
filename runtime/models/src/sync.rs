//! The types of loom under the names that the files of the library use, and faults.
//!
//! A fault leaves out one step of one of these types, as if a line of the library did. *Invariant:*
//! without a fault they do what those of the standard library and of dashmap do.

use loom::sync::{self, atomic, atomic::Ordering};
use std::{
    cell::Cell,
    collections::HashMap,
    hash::Hash,
    ops::{Deref, DerefMut},
};

pub(crate) use sync::{Mutex, MutexGuard};

/// loom's macro takes no constant blocks.
macro_rules! thread_locals {
    ($(#[$attribute:meta])* static $name:ident: $kind:ty = const { $($first:tt)* };) => {
        loom::thread_local! {
            $(#[$attribute])*
            static $name: $kind = { $($first)* };
        }
    };
}
pub(crate) use thread_locals as thread_local;

/// A step that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Numbers are not stored.
    Store,
    /// Numbers are not counted up.
    Add,
    /// A number is compared and exchanged in two steps.
    Exchange,
    /// Another thread may take a flag between a look and its change.
    Swap,
    /// Nobody is woken.
    Notify,
    /// Nothing is removed from maps.
    Remove,
    /// Maps keep what they are to give up.
    Retain,
    /// Another thread may insert between a look for a key and its insertion.
    Insert,
}

std::thread_local! {
    /// All threads of a model run on one thread of the system.
    static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Runs `model` with a fault.
pub fn with_fault(fault: Fault, model: impl FnOnce()) {
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            FAULT.set(None);
        }
    }
    FAULT.set(Some(fault));
    let _end = End;
    model();
}

fn has(fault: Fault) -> bool {
    FAULT.get() == Some(fault)
}

#[derive(Debug)]
pub(crate) struct AtomicU64(atomic::AtomicU64);

impl AtomicU64 {
    pub(crate) fn new(value: u64) -> Self {
        AtomicU64(atomic::AtomicU64::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    pub(crate) fn store(&self, value: u64, order: Ordering) {
        if !has(Fault::Store) {
            self.0.store(value, order);
        }
    }

    pub(crate) fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        if has(Fault::Add) { self.0.load(Ordering::Acquire) } else { self.0.fetch_add(value, order) }
    }

    pub(crate) fn compare_exchange_weak(
        &self,
        current: u64,
        new: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        if !has(Fault::Exchange) {
            return self.0.compare_exchange_weak(current, new, success, failure);
        }
        let found = self.0.load(failure);
        if found != current {
            return Err(found);
        }
        self.0.store(new, Ordering::Relaxed);
        Ok(found)
    }
}

#[derive(Debug, Default)]
pub(crate) struct AtomicBool(atomic::AtomicBool);

impl AtomicBool {
    pub(crate) fn new(value: bool) -> Self {
        AtomicBool(atomic::AtomicBool::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> bool {
        self.0.load(order)
    }

    pub(crate) fn swap(&self, value: bool, order: Ordering) -> bool {
        if !has(Fault::Swap) {
            return self.0.swap(value, order);
        }
        let found = self.0.load(Ordering::Relaxed);
        self.0.store(value, Ordering::Relaxed);
        found
    }
}

#[derive(Debug, Default)]
pub(crate) struct Condvar(sync::Condvar);

impl Condvar {
    pub(crate) fn new() -> Self {
        Condvar(sync::Condvar::new())
    }

    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> sync::LockResult<MutexGuard<'a, T>> {
        self.0.wait(guard)
    }

    pub(crate) fn notify_all(&self) {
        if !has(Fault::Notify) {
            self.0.notify_all();
        }
    }
}

/// A map that is locked while a guard exists.
#[derive(Debug)]
pub(crate) struct Map<K, V>(Mutex<HashMap<K, V>>);

/// A value of a locked map.
pub(crate) struct Guard<'a, K, V> {
    map: MutexGuard<'a, HashMap<K, V>>,
    key: K,
}

impl<K: Eq + Hash, V> Deref for Guard<'_, K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.map[&self.key]
    }
}

impl<K: Eq + Hash, V> DerefMut for Guard<'_, K, V> {
    fn deref_mut(&mut self) -> &mut V {
        self.map.get_mut(&self.key).expect("the key of a guard is in its map")
    }
}

/// The place of a key in a locked map.
pub(crate) enum MapEntry<'a, K, V> {
    Occupied(Occupied<'a, K, V>),
    Vacant(Vacant<'a, K, V>),
}

pub(crate) struct Occupied<'a, K, V>(Guard<'a, K, V>);

pub(crate) struct Vacant<'a, K, V> {
    owner: &'a Map<K, V>,
    /// `None` with the fault.
    map: Option<MutexGuard<'a, HashMap<K, V>>>,
    key: K,
}

impl<'a, K: Eq + Hash + Clone, V> MapEntry<'a, K, V> {
    pub(crate) fn insert(self, value: V) -> Guard<'a, K, V> {
        match self {
            MapEntry::Occupied(Occupied(mut guard)) => {
                *guard = value;
                guard
            }
            MapEntry::Vacant(vacant) => vacant.insert(value),
        }
    }
}

impl<K: Eq + Hash + Clone, V> Occupied<'_, K, V> {
    pub(crate) fn get(&self) -> &V {
        &self.0
    }

    pub(crate) fn insert(&mut self, value: V) {
        *self.0 = value;
    }
}

impl<'a, K: Eq + Hash + Clone, V> Vacant<'a, K, V> {
    pub(crate) fn insert(self, value: V) -> Guard<'a, K, V> {
        let mut map = self.map.unwrap_or_else(|| self.owner.locked());
        map.insert(self.key.clone(), value);
        Guard { map, key: self.key }
    }
}

impl<K: Eq + Hash, V> Map<K, V> {
    fn locked(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().expect("no model panics in a map")
    }

    pub(crate) fn remove(&self, key: &K) -> Option<(K, V)> {
        if has(Fault::Remove) { None } else { self.locked().remove_entry(key) }
    }
}

impl<K: Eq + Hash + Clone, V> Map<K, V> {
    pub(crate) fn new() -> Self {
        Map(Mutex::new(HashMap::new()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.locked().is_empty()
    }

    pub(crate) fn get(&self, key: &K) -> Option<Guard<'_, K, V>> {
        let map = self.locked();
        map.contains_key(key).then(|| Guard { map, key: key.clone() })
    }

    pub(crate) fn get_mut(&self, key: &K) -> Option<Guard<'_, K, V>> {
        self.get(key)
    }

    pub(crate) fn insert(&self, key: K, value: V) -> Option<V> {
        self.locked().insert(key, value)
    }

    pub(crate) fn retain(&self, mut stays: impl FnMut(&K, &mut V) -> bool) {
        if !has(Fault::Retain) {
            self.locked().retain(|key, value| stays(key, value));
        }
    }

    pub(crate) fn entry(&self, key: K) -> MapEntry<'_, K, V> {
        let map = self.locked();
        if map.contains_key(&key) {
            return MapEntry::Occupied(Occupied(Guard { map, key }));
        }
        let map = (!has(Fault::Insert)).then_some(map);
        MapEntry::Vacant(Vacant { owner: self, map, key })
    }
}
