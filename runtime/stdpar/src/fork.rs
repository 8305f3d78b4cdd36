//! Hands the blocks of a process to its child.
//!
//! In: `fork`. Out: the blocks at the same addresses in the child, as memory of its own.
//! *Invariant:* nothing is copied where shared memory is inherited as all memory is: on CPUs. The
//! driver of a GPU does not pass its memory on, and the child would end where it touches a block.
//!
//! The copy is made before the fork and takes as much memory as all blocks. Calls that start
//! another program, such as `posix_spawn` and `system`, do not come here.

use crate::arena::{self, Held};
use std::{cell::RefCell, ptr};

/// Copies of ranges of memory, one behind another.
struct Copies {
    /// Start and bytes of each range.
    ranges: Vec<(usize, usize)>,
    memory: *mut u8,
    bytes: usize,
}

thread_local! {
    /// Kept by the forking thread until the fork is over. Nothing moves in the arena meanwhile.
    static KEPT: RefCell<Option<(Held, Copies)>> = const { RefCell::new(None) };
}

/// New memory of the process, at `address` unless that is null. Null if there is none.
fn map(address: *mut u8, bytes: usize) -> *mut u8 {
    let fixed = if address.is_null() { libc::MAP_NORESERVE } else { libc::MAP_FIXED };
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | fixed);
    // SAFETY: a fixed address is that of a block, which the child has no other use for.
    let memory = unsafe { libc::mmap(address.cast(), bytes, protection, flags, -1, 0) };
    if memory == libc::MAP_FAILED { ptr::null_mut() } else { memory.cast() }
}

impl Copies {
    fn of(ranges: Vec<(usize, usize)>) -> Option<Self> {
        let bytes = ranges.iter().map(|(_, bytes)| bytes).sum();
        let memory = if bytes > 0 { map(ptr::null_mut(), bytes) } else { ptr::null_mut() };
        if memory.is_null() {
            return None;
        }
        let copies = Copies { ranges, memory, bytes };
        copies.each(|block, copy, bytes| {
            // SAFETY: a range in use, which is not given back now, and new memory of its size.
            unsafe { copy.copy_from_nonoverlapping(block, bytes) };
        });
        Some(copies)
    }

    /// Calls `action` with each range, its copy and its size.
    fn each(&self, action: impl Fn(*mut u8, *mut u8, usize)) {
        let mut offset = 0;
        for (start, bytes) in &self.ranges {
            action(ptr::with_exposed_provenance_mut(*start), self.memory.wrapping_add(offset), *bytes);
            offset += bytes;
        }
    }
}

pub(crate) extern "C" fn before() {
    let Some(held) = arena::hold() else { return };
    if let Some(copies) = Copies::of(held.used()) {
        let _ = KEPT.try_with(|kept| kept.replace(Some((held, copies))));
    }
}

pub(crate) extern "C" fn in_parent() {
    let kept = KEPT.try_with(RefCell::take).ok().flatten();
    if let Some((_held, copies)) = kept {
        // SAFETY: made for this fork, and of no further use.
        unsafe { libc::munmap(copies.memory.cast(), copies.bytes) };
    }
}

pub(crate) fn in_child() {
    let kept = KEPT.try_with(RefCell::take).ok().flatten();
    let Some((held, copies)) = kept else { return };
    copies.each(|block, copy, bytes| {
        if !map(block, bytes).is_null() {
            // SAFETY: memory that was just made, and a copy of its size.
            unsafe { block.copy_from_nonoverlapping(copy, bytes) };
        }
    });
    // The child never takes memory from the arena, and its lock stays locked.
    std::mem::forget(held);
}
