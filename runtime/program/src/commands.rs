//! Fills and copies of buffers.
//!
//! In: buffers and host slices. Out: commands. *Invariant:* a command on a host slice is complete
//! when the function returns, and a command on buffers waits for commands of other queues that use
//! them.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use crate::{
    buffer::Buffer,
    element::{Element, bytes_of},
    event::Event,
    mistake::Mistake,
    queue::Queue,
    submit::{fill_bytes, read_bytes, write_bytes},
};

pub use crate::submit::{between, on};

fn check_lengths(buffer: usize, other: usize) -> Result<(), Mistake> {
    if buffer == other { Ok(()) } else { Err(Mistake::Lengths { buffer, other }) }
}

/// Submits a fill of all elements with `value`.
pub fn fill<T: Element, Q: Queue>(queue: &Q, buffer: &mut Buffer<T, Q>, value: T) -> Result<Event<Q>, Q::Error> {
    fill_bytes(queue, buffer.memory(), bytes_of(&[value]), buffer.len())
}

/// Submits a copy of all elements. Different lengths are an error.
pub fn copy<T: Element, Q: Queue>(queue: &Q, to: &mut Buffer<T, Q>, from: &Buffer<T, Q>) -> Result<Event<Q>, Q::Error> {
    check_lengths(to.len(), from.len())?;
    let (to, from) = (to.memory(), from.memory());
    between(queue, to, from, || {
        // SAFETY: both have the same size, are different objects, and track the command.
        unsafe { queue.submit_copy(to.pointer(), from.pointer(), from.size()) }
    })
}

/// Copies `values` to the buffer. Blocks until the copy is complete.
pub fn write<T: Element, Q: Queue>(queue: &Q, buffer: &mut Buffer<T, Q>, values: &[T]) -> Result<(), Q::Error> {
    check_lengths(buffer.len(), values.len())?;
    // SAFETY: the slice has as many elements as the buffer.
    unsafe { write_bytes(queue, buffer.memory(), values.as_ptr().cast()) }
}

/// Copies the elements of the buffer to `values`. Blocks until the copy is complete.
pub fn read<T: Element, Q: Queue>(queue: &Q, buffer: &Buffer<T, Q>, values: &mut [T]) -> Result<(), Q::Error> {
    check_lengths(buffer.len(), values.len())?;
    // SAFETY: the slice has as many elements as the buffer.
    unsafe { read_bytes(queue, buffer.memory(), values.as_mut_ptr().cast()) }
}

/// Copies the elements of the buffer to a vector. Blocks until the copy is complete.
pub fn read_vec<T: Element, Q: Queue>(queue: &Q, buffer: &Buffer<T, Q>) -> Result<Vec<T>, Q::Error> {
    let mut values: Vec<T> = Vec::with_capacity(buffer.len());
    // SAFETY: the vector has capacity for all elements of the buffer.
    unsafe { read_bytes(queue, buffer.memory(), values.as_mut_ptr().cast()) }?;
    // SAFETY: the copy is complete and has initialised all elements.
    unsafe { values.set_len(buffer.len()) };
    Ok(values)
}
