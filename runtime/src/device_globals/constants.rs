//! The content of `__constant__` variables, for kernels that get them by value.
//!
//! In: what the program copies to a variable. Out: the bytes that the next launch passes.
//! *Invariant:* while contents are known, nothing but copies of the host's memory changes a
//! variable. A program that asks for the address of one, or copies to it from elsewhere, makes
//! them unknown for good: kernels then get pointers.
#![forbid(unsafe_code)]

use crate::sync::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError, atomic::Ordering};

/// Says whether a runtime knows the contents of all variables.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    are_unknown: AtomicBool,
}

impl Knowledge {
    /// True if launches may pass variables by value.
    pub(crate) fn are_known(&self) -> bool {
        !self.are_unknown.load(Ordering::Acquire)
    }

    /// Notes that the program may change variables unseen. True for the first time.
    pub(crate) fn lose(&self) -> bool {
        !self.are_unknown.swap(true, Ordering::AcqRel)
    }
}

/// The content of a variable's object on a device.
#[derive(Debug)]
pub(crate) struct Bytes(Mutex<Box<[u8]>>);

impl Bytes {
    pub(crate) fn new(initial: &[u8]) -> Self {
        Bytes(Mutex::new(initial.into()))
    }

    fn locked(&self) -> MutexGuard<'_, Box<[u8]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.locked().len()
    }

    /// Copies the content.
    pub(crate) fn read(&self, into: &mut [u8]) {
        into.copy_from_slice(&self.locked());
    }

    /// Replaces a part, which lies in the object.
    pub(crate) fn write(&self, offset: usize, bytes: &[u8]) {
        if let Some(part) = self.locked().get_mut(offset..offset + bytes.len()) {
            part.copy_from_slice(bytes);
        }
    }

    pub(super) fn restore(&self, initial: &[u8]) {
        self.write(0, initial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_lost_for_one_runtime_and_for_good() {
        let (one, other) = (Knowledge::default(), Knowledge::default());
        assert_eq!((one.lose(), one.lose()), (true, false));
        assert_eq!((one.are_known(), other.are_known()), (false, true));
    }

    #[test]
    fn copies_change_a_part_of_the_content() {
        let bytes = Bytes::new(&[1, 2, 3, 4]);
        bytes.write(1, &[7, 8]);
        bytes.write(3, &[9, 9]);
        let mut found = [0; 4];
        bytes.read(&mut found);
        assert_eq!((found, bytes.size()), ([1, 7, 8, 4], 4));
        bytes.restore(&[1, 2, 3, 4]);
        bytes.read(&mut found);
        assert_eq!(found, [1, 2, 3, 4]);
    }
}
