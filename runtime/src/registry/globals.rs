//! The tables of device globals of the program and its libraries.
//!
//! In: pointers from constructors. Out: the object of a device global by its name in device code.
//! *Invariant:* registering only stores a pointer. An object's number does not change while the
//! program or library that defines it is loaded, and no later object has it.
#![expect(unsafe_code, reason = "reads tables in the program's memory")]

use crate::abi;
use std::{
    collections::BTreeMap,
    ffi::{CStr, c_void},
};

/// A device global of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Object {
    /// Address of its object on the host.
    pub(crate) address: usize,
    /// Number of its definition; 0 if no table has it.
    pub(crate) number: u64,
}

/// Registered tables, by address, with the order in which they were registered.
#[derive(Default)]
pub(super) struct Tables {
    by_address: BTreeMap<usize, u64>,
    next: u64,
}

impl Tables {
    pub(super) const fn new() -> Self {
        Tables { by_address: BTreeMap::new(), next: 0 }
    }

    /// # Safety
    /// The table stays valid and unchanged until [`Tables::remove`].
    pub(super) unsafe fn add(&mut self, table: *const abi::DeviceGlobals) {
        self.next += 1;
        self.by_address.insert(table.expose_provenance(), self.next);
    }

    pub(super) fn remove(&mut self, table: *const abi::DeviceGlobals) {
        self.by_address.remove(&table.addr());
    }

    /// The object that device code of a container knows under a name: that of its own table, or of
    /// another one for functions that it imports.
    pub(super) fn find(&self, container: *const abi::Container, name: &str) -> Option<Object> {
        let named = |table: &abi::DeviceGlobals| records(table).iter().find(|record| is_named(record, name)).copied();
        let all = || self.by_address.keys().map(|address| table(*address));
        let own = all().filter(|table| table.container == container).find_map(named);
        own.or_else(|| all().find_map(named)).map(|record| self.object(record.object.addr()))
    }

    /// The object around an address behind its first word, the offset there, and the bytes from
    /// there to the end.
    pub(super) fn around(&self, address: usize) -> Option<(Object, usize, usize)> {
        let objects = self.by_address.keys().flat_map(|at| records(table(*at))).map(|record| record.object);
        objects.into_iter().find_map(|object| {
            let offset = address.checked_sub(object.addr()).filter(|offset| *offset >= size_of::<usize>())?;
            let left = size_of_object(object)?.checked_sub(offset).filter(|left| *left > 0)?;
            Some((self.object(object.addr()), offset, left))
        })
    }

    /// The object at an address.
    pub(super) fn object(&self, address: usize) -> Object {
        let lists = |at: usize| records(table(at)).iter().any(|record| record.object.addr() == address);
        let numbers = self.by_address.iter().filter(|(at, _)| lists(**at)).map(|(_, number)| *number);
        Object { address, number: numbers.min().unwrap_or(0) }
    }
}

fn table<'a>(address: usize) -> &'a abi::DeviceGlobals {
    // SAFETY: registration promises a valid table until it is unregistered.
    unsafe { &*std::ptr::with_exposed_provenance(address) }
}

fn records(table: &abi::DeviceGlobals) -> &[abi::DeviceGlobal] {
    if table.globals.is_null() || (table.struct_size as usize) < size_of::<abi::DeviceGlobals>() {
        return &[];
    }
    // SAFETY: registration promises `count` records.
    unsafe { std::slice::from_raw_parts(table.globals, table.count as usize) }
}

/// Size in bytes; `None` for an object that is not initialised.
fn size_of_object(object: *const c_void) -> Option<usize> {
    // SAFETY: registration promises objects that start with the address of their layout.
    let layout = unsafe { object.cast::<*const abi::DeviceGlobalLayout>().read() };
    // SAFETY: as above.
    (!layout.is_null()).then(|| unsafe { (*layout).size as usize })
}

fn is_named(record: &abi::DeviceGlobal, name: &str) -> bool {
    // SAFETY: registration promises strings that end in a zero byte.
    unsafe { CStr::from_ptr(record.name) }.to_bytes() == name.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    fn table(container: usize, globals: &[abi::DeviceGlobal]) -> abi::DeviceGlobals {
        abi::DeviceGlobals {
            struct_size: size_of::<abi::DeviceGlobals>() as u32,
            count: globals.len() as u32,
            container: ptr::without_provenance(container),
            globals: globals.as_ptr(),
        }
    }

    #[test]
    fn a_container_prefers_its_own_table_and_numbers_last_as_long_as_the_first_table() {
        let record = |object| abi::DeviceGlobal { name: c"g".as_ptr(), object: ptr::without_provenance(object) };
        let (first, second) = ([record(0x10), record(0x30)], [record(0x20), record(0x30)]);
        let (first, second) = (table(1, &first), table(2, &second));
        let mut tables = Tables::new();
        // SAFETY: both tables outlive `tables`.
        unsafe { tables.add(&first) };
        // SAFETY: as above.
        unsafe { tables.add(&second) };
        let found = |tables: &Tables, container, name| tables.find(ptr::without_provenance(container), name);
        assert_eq!(found(&tables, 2, "g"), Some(Object { address: 0x20, number: 2 }));
        assert_eq!(found(&tables, 1, "g").map(|object| object.address), Some(0x10));
        assert!(found(&tables, 3, "g").is_some() && found(&tables, 1, "h").is_none());
        assert_eq!(tables.object(0x30).number, 1);
        tables.remove(&second);
        assert_eq!(tables.object(0x30).number, 1);
        tables.remove(&first);
        assert_eq!(tables.object(0x30).number, 0);
        // SAFETY: the table outlives `tables`.
        unsafe { tables.add(&first) };
        assert_eq!(tables.object(0x30).number, 3);
    }
}
