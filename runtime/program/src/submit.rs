//! Commands on untyped memory.
//!
//! In: memory and host pointers. Out: commands. *Invariant:* a command waits for commands of other
//! queues that use its memory, and the memory tracks it.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use crate::{event::Event, memory::Memory, queue::Queue, uses::Access};

/// Submits a command on one allocation.
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

/// Submits a command that reads one allocation and writes another.
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

/// Fills memory with `count` repetitions of `pattern`, which must have its size in total.
pub(crate) fn fill_bytes<Q: Queue>(
    queue: &Q,
    memory: &Memory<Q>,
    pattern: &[u8],
    count: usize,
) -> Result<Event<Q>, Q::Error> {
    on(queue, memory, Access::Write, || {
        // SAFETY: callers pass as many repetitions as the memory holds, and the memory is not freed
        // before the command is complete.
        unsafe { queue.submit_fill(memory.pointer(), pattern, count) }
    })
}

/// Blocks until a command on a host slice is complete, even if it or an earlier one failed, because
/// the caller may reuse the slice afterwards.
fn finish<Q: Queue>(event: &Event<Q>) -> Result<(), Q::Error> {
    let result = event.wait();
    if result.is_err() && !matches!(event.is_complete(), Ok(true)) {
        event.queue().settle(event.ticket());
    }
    result
}

/// Copies from the host to all of `memory`. Blocks until the copy is complete.
///
/// # Safety
/// `from` is readable for the size of `memory`.
pub(crate) unsafe fn write_bytes<Q: Queue>(queue: &Q, memory: &Memory<Q>, from: *const u8) -> Result<(), Q::Error> {
    let event = on(queue, memory, Access::Write, || {
        // SAFETY: both have `memory.size()` bytes; the memory tracks the command, and the host
        // range is in use only until `finish` returns.
        unsafe { queue.submit_copy(memory.pointer(), from.cast(), memory.size()) }
    })?;
    finish(&event)
}

/// Copies all of `memory` to the host. Blocks until the copy is complete.
///
/// # Safety
/// `to` is writable for the size of `memory`.
pub(crate) unsafe fn read_bytes<Q: Queue>(queue: &Q, memory: &Memory<Q>, to: *mut u8) -> Result<(), Q::Error> {
    let event = on(queue, memory, Access::Read, || {
        // SAFETY: both have `memory.size()` bytes; the memory tracks the command, and the host
        // range is in use only until `finish` returns.
        unsafe { queue.submit_copy(to.cast(), memory.pointer(), memory.size()) }
    })?;
    finish(&event)
}
