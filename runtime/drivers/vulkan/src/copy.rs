//! Copies and fills.
//!
//! In: addresses of the device's or of the program's memory. Out: submissions. *Invariant:* memory
//! of the program is accessed by the calling thread alone: it is read before a call returns, and
//! written after everything before in the stream is complete, so a copy to it blocks.

use crate::{
    block::Block,
    callable::Callable,
    copier::{self, UNIT},
    memory::{Allocator, Place},
    stream::Stream,
};
use ash::vk;
use sinter_driver_common::Failure;
use std::{mem::ManuallyDrop, ptr};

const COPY: &str = "vkCmdCopyBuffer";
const FILL: &str = "vkCmdFillBuffer";
/// Bytes of one buffer for a copy from or to memory of the program.
const CHUNK: usize = 8 << 20;
/// Bytes of a repeated pattern that are written by the host.
const PATTERNS: usize = 256 << 10;

fn pointer(address: usize) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address)
}

/// A place some bytes later.
fn after(place: Place, bytes: usize) -> Place {
    let bytes = bytes as u64;
    Place { offset: place.offset + bytes, address: place.address + bytes, ..place }
}

fn region(to: u64, from: u64, size: usize) -> vk::BufferCopy {
    vk::BufferCopy::default().dst_offset(to).src_offset(from).size(size as u64)
}

/// Submits a copy between buffers.
fn between(stream: &Stream, kept: Vec<Block>, to: Place, from: Place, size: usize) -> Result<u64, Failure> {
    regions(stream, kept, to, from, &[region(to.offset, from.offset, size)])
}

fn regions(
    stream: &Stream,
    kept: Vec<Block>,
    to: Place,
    from: Place,
    regions: &[vk::BufferCopy],
) -> Result<u64, Failure> {
    stream.submit(kept, |device, commands| {
        // SAFETY: the caller of the queue guarantees both ranges until the command is complete.
        unsafe { device.cmd_copy_buffer(commands, from.buffer, to.buffer, regions) };
    })
}

/// Submits a copy between memory of the device: `kernel` is the kernel that a copy of this size is
/// to use, if any.
///
/// # Safety
/// Both ranges are valid until the command is complete, and do not overlap.
unsafe fn inside<'a>(
    kernel: impl Fn(usize) -> Option<&'a Callable>,
    stream: &Stream,
    to: Place,
    from: Place,
    size: usize,
) -> Result<(), Failure> {
    let units = copier::units(to.address, from.address, size);
    let Some(((head, count), kernel)) = units.and_then(|units| Some((units, kernel(size)?))) else {
        return between(stream, Vec::new(), to, from, size).map(drop);
    };
    let tail = head + count * UNIT;
    let edges: Vec<_> = [(0, head), (tail, size - tail)]
        .into_iter()
        .filter(|(_, length)| *length > 0)
        .map(|(start, length)| region(after(to, start).offset, after(from, start).offset, length))
        .collect();
    if !edges.is_empty() {
        regions(stream, Vec::new(), to, from, &edges)?;
    }
    let (to, from) = (after(to, head).address, after(from, head).address);
    // SAFETY: the addresses are aligned, and the caller guarantees the ranges.
    unsafe { copier::launch(kernel, stream, to, from, count) }
}

fn start(block: &Block) -> Place {
    Place { buffer: block.buffer, offset: 0, address: block.address }
}

/// Copies memory of the program to the device, in pieces.
///
/// # Safety
/// The memory has the size.
unsafe fn upload(stream: &Stream, to: Place, from: usize, size: usize) -> Result<(), Failure> {
    for offset in (0..size).step_by(CHUNK) {
        let length = CHUNK.min(size - offset);
        let block = stream.staging(length as u64)?;
        // SAFETY: upheld by the caller; the block has at least that many bytes.
        unsafe { block.mapped.copy_from_nonoverlapping(pointer(from + offset), length) };
        let from = start(&block);
        between(stream, vec![block], after(to, offset), from, length)?;
    }
    Ok(())
}

/// Copies memory of the device to the program, in pieces: the device copies one while the host
/// copies the one before.
///
/// # Safety
/// The memory has the size.
unsafe fn download(stream: &Stream, to: usize, from: Place, size: usize) -> Result<(), Failure> {
    let mut before: Option<(Landing<'_>, usize, usize)> = None;
    for offset in (0..size).step_by(CHUNK).map(Some).chain([None]) {
        let next = match offset {
            Some(offset) => {
                let length = CHUNK.min(size - offset);
                let block = stream.staging(length as u64)?;
                let position = between(stream, Vec::new(), start(&block), after(from, offset), length)?;
                Some((Landing { stream, block: ManuallyDrop::new(block), position }, offset, length))
            }
            None => None,
        };
        if let Some((landing, offset, length)) = std::mem::replace(&mut before, next) {
            stream.timeline.wait(landing.position)?;
            // SAFETY: upheld by the caller; the block has at least that many bytes.
            unsafe { landing.block.mapped.copy_to_nonoverlapping(pointer(to + offset), length) };
        }
    }
    Ok(())
}

/// Memory that a copy under way writes to. It is spared once the copy is complete; if that cannot
/// be known, because the device is lost, it stays for ever: the device may write to it yet.
struct Landing<'s> {
    stream: &'s Stream,
    block: ManuallyDrop<Block>,
    position: u64,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        if self.stream.timeline.wait(self.position).is_ok() {
            // SAFETY: nobody uses the block after this.
            self.stream.give_back(unsafe { ManuallyDrop::take(&mut self.block) });
        }
    }
}

/// Copies `size` bytes. `kernel` is the kernel that a copy of this size inside the device is to
/// use, if any.
///
/// # Safety
/// Both ranges are valid until the command is complete, and do not overlap.
pub(crate) unsafe fn copy<'a>(
    allocator: &Allocator,
    kernel: impl Fn(usize) -> Option<&'a Callable>,
    stream: &Stream,
    to: usize,
    from: usize,
    size: usize,
) -> Result<(), Failure> {
    match (allocator.place(COPY, to, size)?, allocator.place(COPY, from, size)?) {
        // SAFETY: upheld by the caller.
        (Some(to), Some(from)) => unsafe { inside(kernel, stream, to, from, size) },
        // SAFETY: upheld by the caller.
        (Some(to), None) => unsafe { upload(stream, to, from, size) },
        // SAFETY: upheld by the caller.
        (None, Some(from)) => unsafe { download(stream, to, from, size) },
        (None, None) => {
            stream.synchronize()?;
            // SAFETY: upheld by the caller.
            unsafe { pointer(to).copy_from_nonoverlapping(pointer(from), size) };
            Ok(())
        }
    }
}

/// The word whose repetition is the pattern's, if there is one.
fn word(pattern: &[u8]) -> Option<u32> {
    let byte = |index: usize| pattern[index % pattern.len()];
    let word = [byte(0), byte(1), byte(2), byte(3)];
    let repeats = pattern.iter().enumerate().all(|(index, byte)| *byte == word[index % 4]);
    (repeats && (pattern.len().is_multiple_of(4) || 4 % pattern.len() == 0)).then(|| u32::from_ne_bytes(word))
}

/// Fills `count` patterns, of which there is at least one.
///
/// # Safety
/// The range is valid until the command is complete.
pub(crate) unsafe fn fill(
    allocator: &Allocator,
    stream: &Stream,
    to: usize,
    pattern: &[u8],
    count: usize,
) -> Result<(), Failure> {
    let size = pattern.len() * count;
    let Some(place) = allocator.place(FILL, to, size)? else {
        stream.synchronize()?;
        // SAFETY: upheld by the caller.
        unsafe { write(pointer(to), pattern, count) };
        return Ok(());
    };
    let is_aligned = size.is_multiple_of(4) && place.offset.is_multiple_of(4);
    if let Some(word) = word(pattern).filter(|_| is_aligned) {
        let filled = stream.submit(Vec::new(), |device, commands| {
            // SAFETY: the caller of the queue guarantees the range.
            unsafe { device.cmd_fill_buffer(commands, place.buffer, place.offset, size as u64, word) };
        });
        return filled.map(drop);
    }
    repeat(stream, place, pattern, count)
}

/// Copies patterns from a staging buffer to the start of the range, and copies of that behind it.
fn repeat(stream: &Stream, place: Place, pattern: &[u8], count: usize) -> Result<(), Failure> {
    let some = (PATTERNS / pattern.len()).clamp(1, count);
    let (chunk, size) = (some * pattern.len(), count * pattern.len());
    let block = stream.staging(chunk as u64)?;
    // SAFETY: the block has at least that many bytes.
    unsafe { write(block.mapped, pattern, some) };
    let from = start(&block);
    between(stream, vec![block], place, from, chunk)?;
    for (filled, length) in doublings(chunk, size) {
        between(stream, Vec::new(), after(place, filled), place, length)?;
    }
    Ok(())
}

/// The copies that fill `size` bytes of which `filled` are: where each starts, and its length. Each
/// copies from the start.
fn doublings(filled: usize, size: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = std::iter::successors(Some(filled), |filled| filled.checked_mul(2));
    starts.take_while(move |filled| *filled < size).map(move |filled| (filled, filled.min(size - filled)))
}

/// Writes `count` patterns.
///
/// # Safety
/// There is room for them.
unsafe fn write(to: *mut u8, pattern: &[u8], count: usize) {
    for index in 0..count {
        // SAFETY: upheld by the caller.
        unsafe { to.add(index * pattern.len()).copy_from_nonoverlapping(pattern.as_ptr(), pattern.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_fill_all_that_is_left() {
        assert_eq!(doublings(8, 8).count(), 0);
        assert_eq!(doublings(8, 50).collect::<Vec<_>>(), [(8, 8), (16, 16), (32, 18)]);
    }

    #[test]
    fn a_pattern_that_repeats_a_word_is_one_fill() {
        assert_eq!(word(&[7]), Some(0x0707_0707));
        assert_eq!(word(&[1, 2]), Some(u32::from_ne_bytes([1, 2, 1, 2])));
        assert_eq!(word(&[1, 2, 3, 4, 1, 2, 3, 4]), Some(u32::from_ne_bytes([1, 2, 3, 4])));
        for other in [&[1, 2, 3][..], &[1, 2, 3, 4, 5, 6, 7, 8], &[1, 1, 1, 1, 1, 2]] {
            assert_eq!(word(other), None, "{other:?}");
        }
    }
}
