//! Fills and copies of buffers.
//!
//! In: buffers and host slices. Out: commands. *Invariant:* a command on a host slice is complete
//! when the function returns, and a command on buffers waits for those of other queues that use
//! them.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use crate::{
    buffer::Buffer,
    element::{Element, bytes_of},
    event::Event,
    memory::Memory,
    mistake::Mistake,
    queue::Queue,
    uses::Access,
};

fn check_lengths(buffer: usize, other: usize) -> Result<(), Mistake> {
    if buffer == other { Ok(()) } else { Err(Mistake::Lengths { buffer, other }) }
}

/// Submits a command on one piece of memory.
pub fn on<Q: Queue>(
    queue: &Q,
    memory: &Memory<Q>,
    access: Access,
    submit: impl FnOnce() -> Result<Q::Ticket, Q::Error>,
) -> Result<Event<Q>, Q::Error> {
    memory.check_queue(queue)?;
    memory.uses.order(queue, access)?;
    let event = Event::new(queue, submit()?);
    memory.uses.add(event.clone(), access);
    Ok(event)
}

/// Submits a command that reads one piece of memory and writes another.
pub fn between<Q: Queue>(
    queue: &Q,
    to: &Memory<Q>,
    from: &Memory<Q>,
    submit: impl FnOnce() -> Result<Q::Ticket, Q::Error>,
) -> Result<Event<Q>, Q::Error> {
    to.check_queue(queue)?;
    to.uses.order(queue, Access::Write)?;
    let event = on(queue, from, Access::Read, submit)?;
    to.uses.add(event.clone(), Access::Write);
    Ok(event)
}

/// Fills memory with `count` repetitions of `pattern`, as many as it holds.
pub(crate) fn fill_bytes<Q: Queue>(
    queue: &Q,
    memory: &Memory<Q>,
    pattern: &[u8],
    count: usize,
) -> Result<Event<Q>, Q::Error> {
    on(queue, memory, Access::Write, || {
        // SAFETY: callers pass as many patterns as the memory holds, which it keeps until the command is complete.
        unsafe { queue.submit_fill(memory.pointer(), pattern, count) }
    })
}

/// Writes `value` to every element.
pub fn fill<T: Element, Q: Queue>(queue: &Q, buffer: &mut Buffer<T, Q>, value: T) -> Result<Event<Q>, Q::Error> {
    fill_bytes(queue, buffer.memory(), bytes_of(&[value]), buffer.len())
}

/// Copies all elements of `from`.
pub fn copy<T: Element, Q: Queue>(queue: &Q, to: &mut Buffer<T, Q>, from: &Buffer<T, Q>) -> Result<Event<Q>, Q::Error> {
    check_lengths(to.len(), from.len())?;
    let (to, from) = (to.memory(), from.memory());
    between(queue, to, from, || {
        // SAFETY: both hold as many bytes, are different objects, and remember the command.
        unsafe { queue.submit_copy(to.pointer(), from.pointer(), from.size()) }
    })
}

/// Blocks until a command on a host slice is complete, also where an error of it or of an earlier one is returned: the
/// slice is the caller's again afterwards.
fn finish<Q: Queue>(event: &Event<Q>) -> Result<(), Q::Error> {
    let result = event.wait();
    if result.is_err() && !matches!(event.is_complete(), Ok(true)) {
        event.queue().settle(event.ticket());
    }
    result
}

/// Copies `values` to the buffer, and waits for it.
pub fn write<T: Element, Q: Queue>(queue: &Q, buffer: &mut Buffer<T, Q>, values: &[T]) -> Result<(), Q::Error> {
    check_lengths(buffer.len(), values.len())?;
    let memory = buffer.memory();
    let event = on(queue, memory, Access::Write, || {
        // SAFETY: both hold as many bytes; the buffer remembers the command, and the slice is waited for.
        unsafe { queue.submit_copy(memory.pointer(), values.as_ptr().cast(), memory.size()) }
    })?;
    finish(&event)
}

/// Copies memory to a place of the host that has its size, and waits for it.
///
/// # Safety
/// The place may be written.
unsafe fn read_bytes<Q: Queue>(queue: &Q, memory: &Memory<Q>, to: *mut u8) -> Result<(), Q::Error> {
    let event = on(queue, memory, Access::Read, || {
        // SAFETY: both hold as many bytes; the buffer remembers the command, and the place is waited for.
        unsafe { queue.submit_copy(to.cast(), memory.pointer(), memory.size()) }
    })?;
    finish(&event)
}

/// Copies the elements of the buffer to `values`, and waits for it.
pub fn read<T: Element, Q: Queue>(queue: &Q, buffer: &Buffer<T, Q>, values: &mut [T]) -> Result<(), Q::Error> {
    check_lengths(buffer.len(), values.len())?;
    // SAFETY: the slice has as many elements.
    unsafe { read_bytes(queue, buffer.memory(), values.as_mut_ptr().cast()) }
}

/// The elements of the buffer.
pub fn read_vec<T: Element, Q: Queue>(queue: &Q, buffer: &Buffer<T, Q>) -> Result<Vec<T>, Q::Error> {
    let mut values: Vec<T> = Vec::with_capacity(buffer.len());
    // SAFETY: the vector has room for as many elements.
    unsafe { read_bytes(queue, buffer.memory(), values.as_mut_ptr().cast()) }?;
    // SAFETY: the copy wrote as many elements, and is complete.
    unsafe { values.set_len(buffer.len()) };
    Ok(values)
}
