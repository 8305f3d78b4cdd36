//! A range of the process's addresses that nothing else uses.
//!
//! In: a range. Out: the range, if it was free. *Invariant:* memory that the process has is never
//! replaced.

use std::{ffi::c_void, ptr};

/// A reserved range, which is free again when the value ends.
pub(crate) struct Reservation {
    start: *mut c_void,
    size: usize,
}

impl Reservation {
    /// Reserves a range of whole pages; `None` if a part of it is in use or beyond what processes
    /// have.
    pub(crate) fn create(address: u64, size: u64) -> Option<Self> {
        let (wanted, size) = (ptr::without_provenance_mut(usize::try_from(address).ok()?), usize::try_from(size).ok()?);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: the flag replaces nothing.
        let start = unsafe { libc::mmap(wanted, size, libc::PROT_NONE, flags, -1, 0) };
        // Linux before 4.17 takes the address for a hint. The value gives such a range back.
        let reserved = (start != libc::MAP_FAILED).then_some(Reservation { start, size })?;
        (start == wanted).then_some(reserved)
    }

    pub(crate) fn start(&self) -> *mut c_void {
        self.start
    }

    /// Leaves the range to something that has replaced it.
    pub(crate) fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // SAFETY: the value has the range.
        unsafe { libc::munmap(self.start, self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: u64 = 0x3123_4560_0000;

    #[test]
    fn a_range_is_reserved_once() {
        let one = Reservation::create(FREE, 8192).expect("free");
        assert_eq!(one.start() as u64, FREE);
        assert!(Reservation::create(FREE + 4096, 8192).is_none());
        drop(one);
        assert!(Reservation::create(FREE + 4096, 8192).is_some());
    }

    #[test]
    fn ranges_that_processes_do_not_have_are_refused() {
        let word = 0u64;
        let own = &raw const word as u64 & !4095;
        for address in [own, 0xffff_8000_0000_0000, !4095] {
            assert!(Reservation::create(address, 4096).is_none(), "{address:#x}");
        }
    }
}
