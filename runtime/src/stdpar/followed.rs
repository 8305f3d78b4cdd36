//! Reads the pointers that a kernel follows before it does.
//!
//! In: the places where they lie, and the argument block of a launch whose queue is idle. Out: the
//! pointers. *Invariant:* the kernel follows no other ones. So each lies in a block of the program
//! that the kernel does not write to, and the kernel does not learn of what the program does
//! meanwhile: atomic operations are on memory that algorithms have for themselves. Otherwise
//! there is no answer.
//!
//! Memory is read only if it lies in a piece of shared memory that is there until this returns.
#![expect(unsafe_code, reason = "reads the memory of the program")]

use super::{
    obstacle::{self, Obstacle},
    scratch,
};
use crate::{devices::DeviceEntry, launch::Leads};
use sinter_core::{Index, Path, Places};
use std::{
    collections::BTreeSet,
    ffi::c_void,
    mem,
    ops::Range,
    ptr::{self, with_exposed_provenance, without_provenance},
    sync::atomic::{AtomicPtr, Ordering},
};

/// Stores the start of the block around an address and returns its size; 0 if there is none.
pub(crate) type FindBlock = extern "C" fn(*const c_void, *mut *const c_void) -> usize;

static FINDER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Sets the function that finds blocks of the program.
pub(crate) fn set_finder(find: Option<FindBlock>) {
    let find = find.map_or(ptr::null_mut(), |find| find as *mut c_void);
    FINDER.store(find, Ordering::Release);
}

/// The addresses of a block of the program.
fn block_around(address: usize) -> Option<Range<usize>> {
    let find = FINDER.load(Ordering::Acquire);
    if find.is_null() {
        return None;
    }
    // SAFETY: stored by `set_finder` from a function of this type.
    let find = unsafe { mem::transmute::<*mut c_void, FindBlock>(find) };
    let mut start = ptr::null();
    let size = find(without_provenance(address), &raw mut start);
    (size > 0).then(|| start.addr()..start.addr() + size)
}

/// The memory of a device that allocations of the program get: pieces, by their starts.
pub(super) struct Memory<'a> {
    pub(super) device: &'a DeviceEntry,
    pub(super) pieces: &'a BTreeSet<usize>,
}

impl Memory<'_> {
    /// The pointer at an address; `None` if that does not lie in a piece.
    fn read(&self, address: usize) -> Option<usize> {
        let info = self.device.device.memory().query_own(without_provenance::<c_void>(address))?;
        let base = info.base.addr();
        let fits = address - base <= info.size.checked_sub(size_of::<usize>())?;
        if !fits || !self.pieces.contains(&base) || !address.is_multiple_of(align_of::<usize>()) {
            return None;
        }
        // SAFETY: aligned, and in memory that the program reaches and that is not freed while the
        // pieces are held. Volatile, because another thread may write it if this kernel does not
        // use it.
        Some(unsafe { with_exposed_provenance::<usize>(address).read_volatile() })
    }
}

/// Follows the paths of a launch.
struct Walk<'a> {
    leads: &'a Leads,
    block: &'a [u8],
    memory: &'a Memory<'a>,
    /// Addresses of the pointers that were read.
    read: BTreeSet<usize>,
}

impl Walk<'_> {
    /// The pointer at the end of a path; null if there is none on the way.
    fn end(&mut self, path: &Path) -> Result<usize, Obstacle> {
        let (offset, _) = self.leads.parameters.get(path.parameter as usize).ok_or(Obstacle::Changes)?;
        let mut address = obstacle::pointer(self.block, *offset).ok_or(Obstacle::Block)?;
        for step in &path.steps {
            if address == 0 {
                break;
            }
            let index = step.index.map_or(Some(0), |index| self.index(index)).ok_or(Obstacle::Block)?;
            let place = address.wrapping_add_signed(step.offset as isize).wrapping_add(index);
            address = self.memory.read(place).ok_or(Obstacle::FollowsForeign)?;
            self.read.insert(place);
        }
        Ok(address)
    }

    /// Bytes from the first element of an array.
    fn index(&self, index: Index) -> Option<usize> {
        let (offset, size) = *self.leads.parameters.get(index.parameter as usize)?;
        let bytes = self.block.get(offset..)?;
        let number = match (size, index.is_signed) {
            (4, true) => i64::from(i32::from_ne_bytes(*bytes.first_chunk()?)),
            (4, false) => i64::from(u32::from_ne_bytes(*bytes.first_chunk()?)),
            (8, _) => i64::from_ne_bytes(*bytes.first_chunk()?),
            _ => return None,
        };
        Some(number.wrapping_mul(index.scale) as usize)
    }

    /// The blocks of the program that the pointers lie in; `None` if one lies elsewhere.
    fn blocks(&self) -> Option<Vec<Range<usize>>> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for place in &self.read {
            if !blocks.iter().any(|block| block.contains(place)) {
                blocks.push(block_around(*place)?);
            }
        }
        Some(blocks)
    }
}

/// The pointers that a kernel follows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Null pointers are among them.
    pub(super) pointers: Vec<usize>,
    /// The blocks of the program that they lie in. The kernel does not write to them.
    pub(super) blocks: Vec<Range<usize>>,
}

/// Finds what the kernel of a launch may follow.
pub(super) fn find(places: &Places, leads: &Leads, block: &[u8], memory: &Memory<'_>) -> Result<Found, Obstacle> {
    let mut walk = Walk { leads, block, memory, read: BTreeSet::new() };
    let pointers: Vec<usize> = places.pointers.iter().map(|path| walk.end(path)).collect::<Result<_, _>>()?;
    let blocks = walk.blocks().ok_or(Obstacle::Changes)?;
    for path in &places.written {
        let address = walk.end(path)?;
        // One to the end of a block may be used backwards.
        if blocks.iter().any(|block| (block.start..=block.end).contains(&address)) {
            return Err(Obstacle::Changes);
        }
    }
    for path in &places.shared {
        let address = walk.end(path)?;
        if address != 0 && !scratch::has(address) {
            return Err(Obstacle::Changes);
        }
    }
    Ok(Found { pointers, blocks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;
    use sinter_core::{Followed, Step};
    use sinter_driver::{Driver, MemoryKind, recording::RecordingDriver};

    /// Bytes of a block here.
    const BLOCK: usize = 64;

    extern "C" fn find_block(address: *const c_void, start: *mut *const c_void) -> usize {
        // SAFETY: writable, as for every finder.
        unsafe { start.write(without_provenance(address.addr() / BLOCK * BLOCK)) };
        BLOCK
    }

    fn path(parameter: u32, offsets: &[i64]) -> Path {
        let steps = offsets.iter().map(|offset| Step { offset: *offset, index: None }).collect();
        Path { parameter, steps }
    }

    #[test]
    fn pointers_are_read_unless_they_may_change() {
        set_finder(Some(find_block));
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let visible = devices::discover(&drivers, None).visible;
        let memory = visible[0].allocate(MemoryKind::Shared, 4096, 4096).expect("memory");
        let (base, object) = (memory.addr(), memory.addr() + BLOCK);
        // SAFETY: aligned, in the memory that was allocated above and that nobody else has.
        let set = |offset: usize, value: usize| unsafe { memory.byte_add(offset).cast::<usize>().write(value) };
        set(BLOCK + 8, base + 1024);
        set(BLOCK + 16, object);
        set(3 * BLOCK + 8, base + 2048);
        let pieces = BTreeSet::from([base]);
        let leads = Leads {
            followed: Followed::Anything,
            may_wait: false,
            pointers: Box::default(),
            parameters: Box::new([(0, 8), (8, 8), (16, 4)]),
        };
        let read = |places: &Places, one: usize, other: usize| {
            let block = [one, other, 1].map(usize::to_ne_bytes).concat();
            find(places, &leads, &block, &Memory { device: &visible[0], pieces: &pieces })
        };
        let around = |start: usize| start..start + BLOCK;
        let found = |pointer, start| Ok(Found { pointers: vec![pointer], blocks: vec![around(start)] });
        let member = Places { pointers: vec![path(0, &[8])], ..Places::default() };
        assert_eq!(read(&member, object, 0), found(base + 1024, object));
        assert_eq!(read(&member, 0, 0), Ok(Found { pointers: vec![0], blocks: vec![] }));
        let local = [0usize; 2];
        for elsewhere in [local.as_ptr().addr(), base + 4096 - 8, base + 1] {
            assert_eq!(read(&member, elsewhere, 0), Err(Obstacle::FollowsForeign));
        }
        let behind = Places { pointers: vec![path(0, &[16, 8])], ..Places::default() };
        assert_eq!(read(&behind, object, 0), found(base + 1024, object));
        let index = Some(Index { parameter: 2, scale: 8, is_signed: true });
        let element = Path { parameter: 0, steps: vec![Step { offset: 0, index }] };
        let element = Places { pointers: vec![element], ..Places::default() };
        assert_eq!(read(&element, base + 3 * BLOCK, 0), found(base + 2048, base + 3 * BLOCK));

        let writes = Places { written: vec![path(1, &[])], ..member.clone() };
        assert_eq!(read(&writes, object, base + 1024), found(base + 1024, object));
        for own in [object, object + 40, object + BLOCK] {
            assert_eq!(read(&writes, object, own), Err(Obstacle::Changes));
        }
        let shares = Places { shared: vec![path(1, &[])], ..member };
        assert_eq!(read(&shares, object, base + 1024), Err(Obstacle::Changes));
        let scratch = scratch::allocate(&visible[0], MemoryKind::Shared, 64).expect("memory");
        assert_eq!(read(&shares, object, scratch.addr() + 8), found(base + 1024, object));
        scratch::release(scratch);
    }
}
