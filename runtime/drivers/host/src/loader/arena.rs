//! Allocates memory for code.
//!
//! In: sizes of code and data. Out: addresses for both, at most 2 GiB apart, and later their
//! contents. Address space is reserved in chunks. Code grows from the low end of a chunk and data
//! from its high end, so that pages with the same protection are adjacent and the system keeps them
//! as one mapping. *Invariant:* a page is writable or executable, never both, and the number of
//! mappings grows with the number of chunks and holes, not of objects.
//!
//! Mappings are private, so that a forked child may load code without changing its parent's. If the
//! system refuses to make anonymous memory executable (SELinux without `execmem`, systemd's
//! `MemoryDenyWriteExecute`), the same pages are mapped from an unnamed file.

use super::error::LoadError;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    fs::File,
    io::{self, Write},
    os::fd::{AsRawFd, FromRawFd},
    ptr, slice,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Bytes of address space in the first chunk; each later chunk doubles, up to 64 MiB. The first
/// ones are small, because limits of the address space (`ulimit -v`) count reservations too.
const FIRST_CHUNK: usize = 1 << 20;
const DOUBLINGS: usize = 6;
/// Relocations reach 2 GiB; an object has code and data.
const LARGEST_OBJECT: usize = 1 << 30;

/// Chunks of memory that all objects share.
#[derive(Debug, Default)]
pub(super) struct Arena {
    chunks: Mutex<Vec<Chunk>>,
}

/// A piece of reserved address space with its holes: start and size of each.
#[derive(Debug)]
struct Chunk {
    base: usize,
    size: usize,
    unused: BTreeMap<usize, usize>,
}

/// Addresses for one object, freed when dropped.
#[derive(Debug)]
pub(super) struct Span {
    arena: Arc<Arena>,
    code: Pages,
    data: Pages,
}

/// Whole pages.
#[derive(Debug, Clone, Copy)]
struct Pages {
    start: usize,
    size: usize,
}

impl Pages {
    fn pointer(self) -> *mut c_void {
        self.start as *mut c_void
    }
}

/// Size of a page in bytes.
pub(super) fn page_size() -> usize {
    // SAFETY: `sysconf` only reads.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

impl Arena {
    /// Reserves addresses for so many bytes of code and data.
    pub(super) fn reserve(arena: &Arc<Self>, code: usize, data: usize) -> Result<Span, LoadError> {
        let page = page_size();
        let (code, data) = (code.max(1).next_multiple_of(page), data.next_multiple_of(page));
        if code.saturating_add(data) > LARGEST_OBJECT {
            return Err(LoadError::malformed("it is larger than 1 GiB"));
        }
        let mut chunks = arena.chunks();
        let found = chunks.iter_mut().find_map(|chunk| chunk.take(code, data));
        let (code, data) = match found {
            Some(found) => found,
            None => {
                let mut chunk = Chunk::reserve(code + data, chunks.len())?;
                let taken = chunk.take(code, data);
                chunks.push(chunk);
                taken.ok_or_else(|| LoadError::malformed("it does not fit into memory made for it"))?
            }
        };
        Ok(Span { arena: Arc::clone(arena), code, data })
    }

    fn chunks(&self) -> MutexGuard<'_, Vec<Chunk>> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for chunk in self.chunks().drain(..) {
            // SAFETY: the chunk was mapped with this size, and each span keeps the arena alive.
            unsafe { libc::munmap(chunk.base as *mut c_void, chunk.size) };
        }
    }
}

impl Chunk {
    /// Reserves address space for at least `needed` bytes: less than usual if the system has no
    /// more.
    fn reserve(needed: usize, chunks: usize) -> Result<Self, LoadError> {
        let usual = (FIRST_CHUNK << chunks.min(DOUBLINGS)).max(needed);
        let (size, base) = match map(usual) {
            Ok(base) => (usual, base),
            Err(_) => (needed, map(needed)?),
        };
        Ok(Chunk { base, size, unused: BTreeMap::from([(base, size)]) })
    }

    /// Takes code from the low end of the first hole that is large enough, and data from the high
    /// end of the last one.
    fn take(&mut self, code: usize, data: usize) -> Option<(Pages, Pages)> {
        let (&start, _) = self.unused.iter().find(|(_, size)| **size >= code)?;
        let code = self.cut(start, start, code);
        if data == 0 {
            return Some((code, Pages { start: code.start, size: 0 }));
        }
        let last = self.unused.iter().rev().find(|(_, size)| **size >= data).map(|(start, size)| (*start, *size));
        let Some((start, size)) = last else {
            self.give(code);
            return None;
        };
        Some((code, self.cut(start, start + size - data, data)))
    }

    /// Takes `size` bytes at `at` out of the hole that starts at `hole`.
    fn cut(&mut self, hole: usize, at: usize, size: usize) -> Pages {
        let end = hole + self.unused.remove(&hole).unwrap_or_default();
        if at > hole {
            self.unused.insert(hole, at - hole);
        }
        if end > at + size {
            self.unused.insert(at + size, end - at - size);
        }
        Pages { start: at, size }
    }

    /// Turns pages into a hole, merged with adjacent holes.
    fn give(&mut self, pages: Pages) {
        if pages.size == 0 {
            return;
        }
        let (mut start, mut end) = (pages.start, pages.start + pages.size);
        if let Some((&before, &size)) = self.unused.range(..start).next_back().filter(|(at, size)| *at + *size == start)
        {
            debug_assert_eq!(before + size, start);
            self.unused.remove(&before);
            start = before;
        }
        if let Some(size) = self.unused.remove(&end) {
            end += size;
        }
        self.unused.insert(start, end - start);
    }

    fn holds(&self, pages: Pages) -> bool {
        (self.base..self.base + self.size).contains(&pages.start)
    }
}

/// Address space without memory behind it.
fn map(size: usize) -> Result<usize, LoadError> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at an address of the system's choice.
    let base = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
    if base == libc::MAP_FAILED { Err(LoadError::last("reserving memory for code")) } else { Ok(base as usize) }
}

impl Span {
    /// Start address of the code.
    pub(super) fn code(&self) -> u64 {
        self.code.start as u64
    }

    /// Start address of the data.
    pub(super) fn data(&self) -> u64 {
        self.data.start as u64
    }

    /// Writes the contents, then makes the code executable.
    pub(super) fn publish(&self, code: &[u8], data: &[u8]) -> Result<(), LoadError> {
        if !data.is_empty() {
            write(self.data, data)?;
        }
        write(self.code, code)?;
        if protect(self.code, libc::PROT_READ | libc::PROT_EXEC) {
            return Ok(());
        }
        match io::Error::last_os_error().raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => map_from_file(self.code, code),
            _ => Err(LoadError::last("making memory executable")),
        }
    }

    /// The `size` bytes at `address`, which must be published code of this span.
    pub(super) fn bytes(&self, address: u64, size: u64) -> Option<&[u8]> {
        let offset = usize::try_from(address.checked_sub(self.code())?).ok()?;
        let size = usize::try_from(size).ok()?;
        (offset.checked_add(size)? <= self.code.size).then_some(())?;
        // SAFETY: these bytes are in the span's pages, which `publish` made readable and nobody
        // writes any more.
        Some(unsafe { slice::from_raw_parts((self.code.start + offset) as *const u8, size) })
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        for pages in [self.code, self.data].into_iter().filter(|pages| pages.size > 0) {
            // SAFETY: the pages belong to this span only; nothing refers to their contents any
            // more.
            unsafe { libc::madvise(pages.pointer(), pages.size, libc::MADV_DONTNEED) };
        }
        let mut chunks = self.arena.chunks();
        for pages in [self.code, self.data] {
            if let Some(chunk) = chunks.iter_mut().find(|chunk| chunk.holds(pages)) {
                chunk.give(pages);
            }
        }
    }
}

/// Changes the protection of pages. On failure `errno` has the reason.
fn protect(pages: Pages, protection: i32) -> bool {
    // SAFETY: the pages belong to one span of the arena, and nobody relies on their contents before
    // `publish` has returned.
    unsafe { libc::mprotect(pages.pointer(), pages.size, protection) == 0 }
}

/// Makes pages writable and fills them. Bytes after `contents` are undefined: an object's sizes
/// include its zeros.
fn write(pages: Pages, contents: &[u8]) -> Result<(), LoadError> {
    if !protect(pages, libc::PROT_READ | libc::PROT_WRITE) {
        return Err(LoadError::last("getting memory for code"));
    }
    debug_assert!(contents.len() <= pages.size, "the layout says how large they are");
    // SAFETY: the pages were just made writable, belong to one span, and hold at least as many
    // bytes.
    unsafe { ptr::copy_nonoverlapping(contents.as_ptr(), pages.start as *mut u8, contents.len()) };
    Ok(())
}

/// Maps `contents` from an unnamed file over the pages.
fn map_from_file(pages: Pages, contents: &[u8]) -> Result<(), LoadError> {
    let failed =
        |source| LoadError::System { attempt: "writing a file for code, since memory may not be executed", source };
    let mut file = memory_file().or_else(|_| tempfile::tempfile()).map_err(failed)?;
    file.write_all(contents).map_err(failed)?;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE | libc::MAP_FIXED);
    // SAFETY: replaces pages that belong to one span by a file with the same contents.
    let at = unsafe { libc::mmap(pages.pointer(), pages.size, protection, flags, file.as_raw_fd(), 0) };
    if at == libc::MAP_FAILED { Err(LoadError::last("mapping code")) } else { Ok(()) }
}

fn memory_file() -> io::Result<File> {
    // SAFETY: the name is null-terminated.
    let descriptor = unsafe { libc::memfd_create(c"sinter-kernel".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is open and has no other owner.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `mov eax, value; ret`
    fn code(value: i32) -> Vec<u8> {
        [&[0xb8][..], &value.to_le_bytes(), &[0xc3]].concat()
    }

    fn call(span: &Span) -> i32 {
        // SAFETY: `code` is at the start of the span and is executable.
        let function = unsafe { std::mem::transmute::<usize, extern "C" fn() -> i32>(span.code.start) };
        function()
    }

    fn mappings() -> usize {
        std::fs::read_to_string("/proc/self/maps").expect("maps").lines().count()
    }

    #[test]
    fn mappings_do_not_grow_with_objects() {
        let arena = Arc::new(Arena::default());
        let load = |value| {
            let span = Arena::reserve(&arena, 100, 8).expect("memory");
            span.publish(&code(value), &[7; 8]).expect("published");
            span
        };
        let mut spans: Vec<Span> = (0..64).map(load).collect();
        let before = mappings();
        spans.extend((64..2000).map(load));
        assert!(mappings() < before + 32, "{before} became {}", mappings());
        assert!(spans.iter().zip(0..).all(|(span, value)| call(span) == value));
    }

    #[test]
    fn what_is_given_back_is_used_again() {
        let arena = Arc::new(Arena::default());
        let first: Vec<Span> = (0..8).map(|_| Arena::reserve(&arena, 5000, 100).expect("memory")).collect();
        let starts: Vec<u64> = first.iter().map(Span::code).collect();
        drop(first);
        let again: Vec<Span> = (0..8).map(|_| Arena::reserve(&arena, 5000, 100).expect("memory")).collect();
        assert_eq!(again.iter().map(Span::code).collect::<Vec<_>>(), starts);
        drop(again);
        let chunks = arena.chunks();
        assert!(chunks.iter().all(|chunk| chunk.unused == BTreeMap::from([(chunk.base, chunk.size)])), "{chunks:?}");
    }

    #[test]
    fn a_file_serves_where_memory_may_not_be_executed() {
        let arena = Arc::new(Arena::default());
        let span = Arena::reserve(&arena, 100, 0).expect("memory");
        map_from_file(span.code, &code(42)).expect("mapped");
        assert_eq!(call(&span), 42);
    }

    #[test]
    fn objects_beyond_a_chunk_get_one_of_their_own() {
        let arena = Arc::new(Arena::default());
        let span = Arena::reserve(&arena, 3 << 20, 2 << 20).expect("memory");
        assert!(span.data.start - span.code.start < 1 << 31);
        assert!(matches!(Arena::reserve(&arena, 1 << 30, 1 << 30), Err(LoadError::Malformed { .. })));
    }
}
