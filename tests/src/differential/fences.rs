//! Memory between pages without access.
//!
//! In: words. Out: a copy that touches such a page with its first or its last byte. *Invariant:* an
//! access beyond that end, by a work-item that does not exist too, ends the process.

use std::{io::Error, ptr::NonNull};

/// Bytes of a page on every x86, and a multiple of it elsewhere.
const PAGE: usize = 1 << 16;

/// The end of a copy that a fence touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// A copy of words between two fences.
pub(super) struct Fenced {
    map: NonNull<libc::c_void>,
    mapped: usize,
    words: NonNull<u32>,
    count: usize,
}

impl Fenced {
    pub(super) fn new(content: &[u32], end: End) -> Fenced {
        let inner = size_of_val(content).next_multiple_of(PAGE);
        let mapped = inner + 2 * PAGE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, at an address of the kernel's choice.
        let map = unsafe { libc::mmap(std::ptr::null_mut(), mapped, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(map, libc::MAP_FAILED, "no memory: {}", Error::last_os_error());
        // SAFETY: all pages but the first and the last of the mapping.
        let open = unsafe { libc::mprotect(map.byte_add(PAGE), inner, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(open, 0, "no access to memory: {}", Error::last_os_error());
        let offset = PAGE + if end == End::First { 0 } else { inner - size_of_val(content) };
        let (map, count) = (NonNull::new(map).expect("a mapping"), content.len());
        // SAFETY: the words lie between the fences, and nothing else refers to them.
        let words = unsafe {
            let words = map.byte_add(offset).cast::<u32>();
            words.copy_from_nonoverlapping(NonNull::from(content).cast(), count);
            words
        };
        Fenced { map, mapped, words, count }
    }

    /// The address of the first word.
    pub(super) fn address(&self) -> usize {
        self.words.as_ptr() as usize
    }

    /// The words now.
    pub(super) fn content(&self) -> Vec<u32> {
        // SAFETY: the words of the copy, which code outside of Rust has changed at most.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }.to_vec()
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, which nothing refers to any more.
        unsafe { libc::munmap(self.map.as_ptr(), self.mapped) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_touches_its_fence() {
        let [first, last] = [End::First, End::Last].map(|end| Fenced::new(&[1, 2, 3], end));
        assert_eq!([first.content(), last.content()], [[1, 2, 3], [1, 2, 3]]);
        let place = |copy: &Fenced| copy.address() - copy.map.as_ptr() as usize;
        assert_eq!([place(&first), place(&last)], [PAGE, 2 * PAGE - 12]);
    }
}
