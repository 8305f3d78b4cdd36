//! Work of a queue: launches, copies and fills.
//!
//! In: validated arguments. Out: units, numbered from 0, that may run in any order and on any
//! thread: the work-groups of a launch, the pieces of a copy or fill. *Invariant:* work owns all
//! that it needs, including arguments and code, so it may run after its submitter has returned.

use crate::{
    enter::enter,
    kernel::{ARGUMENT_ALIGNMENT, Code, RunningMark},
};
use sinter_core::{LaunchShape, host_abi::HostLaunch};
use std::{cell::Cell, ptr, sync::Arc, time::Duration};

/// Bytes in a unit of a copy or fill.
const PIECE: usize = 256 << 10;
/// Bytes that one thread copies or fills in a nanosecond; only the order of magnitude matters.
const BYTES_PER_NANOSECOND: u64 = 10;
/// Argument buffers up to this many bytes are stored in the command.
const INLINE_ARGUMENTS: usize = 256;
/// Bytes of scratch memory that a thread keeps for its next launch; larger ones are freed.
const KEPT_SCRATCH: usize = 4 << 20;

/// A piece of memory with the alignment of argument buffers.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line([u8; ARGUMENT_ALIGNMENT]);

const EMPTY_LINE: Line = Line([0; ARGUMENT_ALIGNMENT]);

/// A copied argument buffer or pattern.
#[expect(clippy::large_enum_variant, reason = "nearly all buffers are small, and are to cost no allocation")]
pub(crate) enum Bytes {
    Inline([Line; INLINE_ARGUMENTS / ARGUMENT_ALIGNMENT]),
    Heap(Box<[Line]>),
}

impl Bytes {
    pub(crate) fn copy(bytes: &[u8]) -> Self {
        if bytes.len() <= INLINE_ARGUMENTS {
            let mut lines = [EMPTY_LINE; INLINE_ARGUMENTS / ARGUMENT_ALIGNMENT];
            copy_to_lines(&mut lines, bytes);
            return Bytes::Inline(lines);
        }
        let mut lines = vec![EMPTY_LINE; bytes.len().div_ceil(ARGUMENT_ALIGNMENT)];
        copy_to_lines(&mut lines, bytes);
        Bytes::Heap(lines.into())
    }

    pub(crate) fn as_ptr(&self) -> *const u8 {
        match self {
            Bytes::Inline(lines) => lines.as_ptr().cast(),
            Bytes::Heap(lines) => lines.as_ptr().cast(),
        }
    }
}

fn copy_to_lines(lines: &mut [Line], bytes: &[u8]) {
    for (line, chunk) in lines.iter_mut().zip(bytes.chunks(ARGUMENT_ALIGNMENT)) {
        line.0[..chunk.len()].copy_from_slice(chunk);
    }
}

/// The validated index space of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    global: [u64; 3],
    group: [u64; 3],
    count: [u64; 3],
    /// Number of work-groups.
    pub(crate) groups: u64,
    /// Number of work-items.
    pub(crate) items: u64,
}

impl Grid {
    /// Validates a shape. The error describes the defect.
    pub(crate) fn new(shape: &LaunchShape) -> Result<Self, String> {
        if shape.group.contains(&0) {
            return Err(format!("the work-group size {:?} has a zero", shape.group));
        }
        let too_large = || format!("the global size {:?} exceeds 64 bits", shape.global);
        let items = shape.items().ok_or_else(too_large)?;
        let groups = shape.groups().ok_or_else(too_large)?;
        Ok(Grid { global: shape.global, group: shape.group.map(u64::from), count: shape.group_count(), groups, items })
    }

    /// Number of work-items in `groups` groups, on average.
    pub(crate) fn items_of(&self, groups: u64) -> u64 {
        if groups == self.groups {
            return self.items;
        }
        let items = u128::from(self.items) * u128::from(groups) / u128::from(self.groups.max(1));
        items as u64
    }
}

/// Memory of a running work-group, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scratch {
    /// Local memory, static and dynamic.
    pub(crate) local: usize,
    /// Values of all its work-items that are live across barriers.
    pub(crate) items: usize,
}

impl Scratch {
    /// Size of both parts, each aligned.
    fn size(self) -> usize {
        self.local.next_multiple_of(ARGUMENT_ALIGNMENT) + self.items
    }

    /// Frees the scratch memory that the thread kept between runs of this launch, if it is too
    /// large to keep for good.
    pub(crate) fn release(self) {
        if self.size() > KEPT_SCRATCH {
            // An exiting thread has no thread-local any more.
            let _ = SCRATCH.try_with(|place| drop(place.take()));
        }
    }
}

/// A launch with borrowed arguments.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a> {
    pub(crate) code: &'a Code,
    pub(crate) grid: &'a Grid,
    pub(crate) scratch: Scratch,
    pub(crate) arguments: *const u8,
}

impl Groups<'_> {
    /// Runs the work-groups `first..last`.
    ///
    /// # Safety
    /// `arguments` has the layout that the kernel expects, and its pointers are valid.
    pub(crate) unsafe fn run(&self, first: u64, last: u64) {
        let needed = self.scratch.size().div_ceil(ARGUMENT_ALIGNMENT);
        if needed == 0 {
            return self.call(ptr::null_mut(), first, last);
        }
        // Taken, not borrowed: an exiting thread has no thread-local any more, and one that already
        // runs a kernel has taken it. Both allocate memory of their own.
        let mut lines = SCRATCH.try_with(Cell::take).unwrap_or_default();
        if lines.len() < needed {
            lines.resize(needed, EMPTY_LINE);
        }
        self.call(lines.as_mut_ptr(), first, last);
        // Without the thread-local, the memory is freed.
        let _ = SCRATCH.try_with(|place| place.set(lines));
    }

    fn call(&self, scratch: *mut Line, first: u64, last: u64) {
        let Grid { global, group, count, .. } = *self.grid;
        let launch = HostLaunch {
            global_size: global,
            group_size: group,
            group_count: count,
            local_memory: scratch.cast(),
            item_memory: scratch.wrapping_add(self.scratch.local.div_ceil(ARGUMENT_ALIGNMENT)).cast(),
        };
        let _mark = RunningMark::new(self.code);
        enter(self.code.function, self.arguments, &launch, first, last);
    }
}

thread_local! {
    /// Scratch memory for the work-groups that this thread runs.
    static SCRATCH: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
}

/// Registers the destructor of the calling thread's scratch memory with the C library.
pub(crate) fn note_destructors() {
    let _ = SCRATCH.try_with(|_| ());
}

/// A launch that owns its arguments.
pub(crate) struct Launch {
    pub(crate) code: Arc<Code>,
    pub(crate) grid: Grid,
    pub(crate) scratch: Scratch,
    pub(crate) arguments: Bytes,
}

/// A pointer that may move between threads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Address(*mut u8);

// SAFETY: the submitter of a command guarantees the memory until the command is complete, on any
// thread.
unsafe impl Send for Address {}
// SAFETY: as above; the units of a command touch different parts of it.
unsafe impl Sync for Address {}

impl Address {
    pub(crate) fn new(pointer: *mut u8) -> Self {
        Address(pointer)
    }
}

/// A copy of `size` bytes.
pub(crate) struct Copy {
    pub(crate) destination: Address,
    pub(crate) source: Address,
    pub(crate) size: usize,
}

/// `size` bytes of a repeated pattern, whose length divides `size`.
pub(crate) struct Fill {
    pub(crate) destination: Address,
    pub(crate) pattern: Bytes,
    pub(crate) pattern_size: usize,
    pub(crate) size: usize,
}

/// A command that the pool can run.
pub(crate) enum Work {
    Launch(Launch),
    Copy(Copy),
    Fill(Fill),
}

impl Work {
    /// Number of units.
    pub(crate) fn units(&self) -> u64 {
        match self {
            Work::Launch(launch) => launch.grid.groups,
            Work::Copy(copy) => copy.size.div_ceil(PIECE) as u64,
            Work::Fill(fill) => fill.size.div_ceil(fill.piece()) as u64,
        }
    }

    /// Expected time on one thread.
    pub(crate) fn estimate(&self) -> Duration {
        match self {
            Work::Launch(launch) => estimate_launch(&launch.code, &launch.grid),
            Work::Copy(Copy { size, .. }) | Work::Fill(Fill { size, .. }) => estimate_bytes(*size),
        }
    }

    /// Updates the kernel's cost with the time of a run of `units` units, summed over threads.
    pub(crate) fn learn(&self, units: u64, taken: Duration) {
        if let Work::Launch(launch) = self {
            launch.code.current().learn(launch.grid.items_of(units), taken);
        }
    }

    /// Called after this thread's last unit.
    pub(crate) fn release_scratch(&self) {
        if let Work::Launch(launch) = self {
            launch.scratch.release();
        }
    }

    /// Runs the units `first..last`.
    ///
    /// # Safety
    /// The submitter's guarantees about memory hold, and no unit runs twice.
    pub(crate) unsafe fn run(&self, first: u64, last: u64) {
        match self {
            Work::Launch(Launch { code, grid, scratch, arguments }) => {
                let groups = Groups { code: code.current(), grid, scratch: *scratch, arguments: arguments.as_ptr() };
                // SAFETY: the submitter guarantees the arguments.
                unsafe { groups.run(first, last) };
            }
            // SAFETY: the submitter guarantees both ranges.
            Work::Copy(copy) => unsafe { copy.run(first, last) },
            // SAFETY: the submitter guarantees the range.
            Work::Fill(fill) => unsafe { fill.run(first, last) },
        }
    }
}

/// Expected time of a launch on one thread; the maximum if its kernel was never measured.
pub(crate) fn estimate_launch(code: &Code, grid: &Grid) -> Duration {
    match grid.items {
        0 => Duration::ZERO,
        items => code.cost.estimate(items).unwrap_or(Duration::MAX),
    }
}

/// Expected time of a copy or fill on one thread.
pub(crate) fn estimate_bytes(size: usize) -> Duration {
    Duration::from_nanos(size as u64 / BYTES_PER_NANOSECOND)
}

impl Copy {
    /// # Safety
    /// Both ranges are valid and do not overlap.
    pub(crate) unsafe fn run(&self, first: u64, last: u64) {
        let start = first as usize * PIECE;
        let end = self.size.min((last as usize).saturating_mul(PIECE));
        // SAFETY: `start` lies in the source range, or at the end of an empty one.
        let source = unsafe { self.source.0.add(start) };
        // SAFETY: `start` lies in the destination range, or at the end of an empty one.
        let destination = unsafe { self.destination.0.add(start) };
        // SAFETY: both ranges are valid up to `end` and do not overlap.
        unsafe { destination.copy_from_nonoverlapping(source, end - start) };
    }
}

impl Fill {
    /// Bytes in a unit: a multiple of the pattern.
    fn piece(&self) -> usize {
        (PIECE / self.pattern_size).max(1) * self.pattern_size
    }

    /// # Safety
    /// The destination range is valid.
    pub(crate) unsafe fn run(&self, first: u64, last: u64) {
        let start = first as usize * self.piece();
        let end = self.size.min((last as usize).saturating_mul(self.piece()));
        // SAFETY: the range `start..end` is part of the destination, or empty.
        unsafe { fill(self.destination.0.add(start), self.pattern.as_ptr(), self.pattern_size, end - start) };
    }
}

/// Largest block that a fill copies at a time: it should stay in the first-level cache.
const FILL_BLOCK: usize = 8 << 10;

/// Writes the pattern over `size` bytes, a multiple of its length.
///
/// # Safety
/// Both ranges are valid and do not overlap.
pub(crate) unsafe fn fill(destination: *mut u8, pattern: *const u8, pattern_size: usize, size: usize) {
    if size == 0 {
        return;
    }
    if pattern_size == 1 {
        // SAFETY: the pattern is one byte.
        let byte = unsafe { pattern.read() };
        // SAFETY: the destination is valid for `size` bytes.
        return unsafe { destination.write_bytes(byte, size) };
    }
    // SAFETY: the destination holds at least one pattern.
    unsafe { destination.copy_from_nonoverlapping(pattern, pattern_size) };
    let mut filled = pattern_size;
    while filled < size {
        // A copied block is a whole number of patterns, except at the end.
        let block = filled.min((FILL_BLOCK / pattern_size).max(1) * pattern_size).min(size - filled);
        // SAFETY: `filled + block <= size`.
        let next = unsafe { destination.add(filled) };
        // SAFETY: the first `block` bytes are filled and `next` lies behind them.
        unsafe { next.copy_from_nonoverlapping(destination, block) };
        filled += block;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of scratch memory that this thread keeps.
    fn kept() -> usize {
        let lines = SCRATCH.take();
        let bytes = lines.capacity() * ARGUMENT_ALIGNMENT;
        SCRATCH.set(lines);
        bytes
    }

    #[test]
    fn a_thread_keeps_little_scratch_memory_and_frees_much() {
        for (items, expected) in [(KEPT_SCRATCH, KEPT_SCRATCH), (KEPT_SCRATCH + ARGUMENT_ALIGNMENT, 0)] {
            SCRATCH.set(vec![EMPTY_LINE; items / ARGUMENT_ALIGNMENT]);
            Scratch { local: 0, items }.release();
            assert_eq!(kept(), expected);
        }
    }
}
