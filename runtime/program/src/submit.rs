//! Commands on memory without the type of its elements.
//!
//! In: memory and places of the host. Out: commands. *Invariant:* a command waits for those of
//! other queues that use its memory, and the memory remembers it.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use crate::{event::Event, memory::Memory, queue::Queue, uses::Access};

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
        // SAFETY: callers pass as many patterns as the memory holds, which it keeps until the
        // command is complete.
        unsafe { queue.submit_fill(memory.pointer(), pattern, count) }
    })
}

/// Blocks until a command on a host slice is complete, also where an error of it or of an earlier
/// one is returned: the slice is the caller's again afterwards.
fn finish<Q: Queue>(event: &Event<Q>) -> Result<(), Q::Error> {
    let result = event.wait();
    if result.is_err() && !matches!(event.is_complete(), Ok(true)) {
        event.queue().settle(event.ticket());
    }
    result
}

/// Copies a place of the host to memory, whose size it has, and waits for it.
///
/// # Safety
/// The place may be read.
pub(crate) unsafe fn write_bytes<Q: Queue>(queue: &Q, memory: &Memory<Q>, from: *const u8) -> Result<(), Q::Error> {
    let event = on(queue, memory, Access::Write, || {
        // SAFETY: both hold as many bytes; the memory remembers the command, and the place is
        // waited for.
        unsafe { queue.submit_copy(memory.pointer(), from.cast(), memory.size()) }
    })?;
    finish(&event)
}

/// Copies memory to a place of the host that has its size, and waits for it.
///
/// # Safety
/// The place may be written.
pub(crate) unsafe fn read_bytes<Q: Queue>(queue: &Q, memory: &Memory<Q>, to: *mut u8) -> Result<(), Q::Error> {
    let event = on(queue, memory, Access::Read, || {
        // SAFETY: both hold as many bytes; the buffer remembers the command, and the place is
        // waited for.
        unsafe { queue.submit_copy(to.cast(), memory.pointer(), memory.size()) }
    })?;
    finish(&event)
}
