//! A range of the process's addresses that nothing else uses.
//!
//! In: a range. Out: the range, if it was free; or the contents that it had, in plain memory.
//! *Invariant:* memory that the process has is never replaced.

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

/// Contents of a range whose memory may go away.
pub(crate) struct Kept {
    start: *mut c_void,
    copy: *mut c_void,
    size: usize,
}

// SAFETY: nothing else knows the copy, and only addresses of the range are used.
unsafe impl Send for Kept {}

impl Kept {
    /// Copies a range of whole pages; `None` if there is no memory for it.
    ///
    /// # Safety
    /// The range is mapped, and nothing writes to it.
    pub(crate) unsafe fn copy(start: *mut u8, size: usize) -> Option<Self> {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: no address is asked for.
        let copy = unsafe { libc::mmap(ptr::null_mut(), size, access, flags, -1, 0) };
        if copy == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: both ranges are mapped with this size; the second one is new.
        unsafe { ptr::copy_nonoverlapping(start, copy.cast(), size) };
        Some(Kept { start: start.cast(), copy, size })
    }

    /// Places the contents where they were, if nothing is there.
    pub(crate) fn place(self) {
        let Some(reserved) = Reservation::create(self.start as u64, self.size as u64) else { return };
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: the copy is the value's, and replaces a range that was reserved.
        let placed = unsafe { libc::mremap(self.copy, self.size, self.size, flags, self.start) };
        if placed != libc::MAP_FAILED {
            reserved.forget();
        }
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
    fn contents_return_to_their_address() {
        let start = FREE + (1 << 20);
        let reserved = Reservation::create(start, 4096).expect("free");
        // SAFETY: the range is the reservation's.
        unsafe { libc::mprotect(reserved.start(), 4096, libc::PROT_READ | libc::PROT_WRITE) };
        let place = reserved.start().cast::<u8>();
        // SAFETY: the range is mapped and can be written.
        let kept = unsafe {
            place.write(7);
            Kept::copy(place, 4096).expect("memory")
        };
        drop(reserved);
        kept.place();
        // SAFETY: the contents were placed there.
        assert_eq!(unsafe { place.read() }, 7);
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
