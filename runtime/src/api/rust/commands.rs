//! Commands on buffers that are specific to this runtime's queues.
//!
//! In: buffers. Out: commands. *Invariant:* a command waits for commands of other queues that use
//! its buffers.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use super::{Buffer, Element, Event};
use crate::{error::RuntimeError, queue::Queue};
use sinter_driver::{Advice, MemoryKind, Rows, Ticket};
use sinter_program::{Access, Memory, commands};

/// Rejects rows that overlap or exceed the buffer of `size` bytes.
fn check_rows(side: &'static str, rows: &Rows, pitch: usize, size: usize) -> Result<(), RuntimeError> {
    let last = rows.height.saturating_sub(1).checked_mul(pitch).and_then(|start| start.checked_add(rows.width));
    let fits = rows.height == 0 || last.is_some_and(|end| end <= size);
    if pitch >= rows.width && fits {
        return Ok(());
    }
    let Rows { width, height, .. } = rows;
    let reason = format!("{height} rows of {width} bytes, {pitch} apart, do not fit {size} bytes of the {side}");
    Err(RuntimeError::invalid("rows", reason))
}

sinter_program::queue_methods!(Queue, RuntimeError);

impl Queue {
    /// Copies a rectangle from the start of one buffer to the start of another. `rows` is in bytes.
    pub fn copy_rows<T: Element>(
        &self,
        to: &mut Buffer<T>,
        from: &Buffer<T>,
        rows: &Rows,
    ) -> Result<Event, RuntimeError> {
        let (to, from) = (to.memory(), from.memory());
        check_rows("destination", rows, rows.destination_pitch, to.size())?;
        check_rows("source", rows, rows.source_pitch, from.size())?;
        commands::between(self, to, from, || {
            if rows.width == 0 || rows.height == 0 {
                return Ok(self.driver_queue().last());
            }
            // SAFETY: both rectangles lie in buffers, which are different objects and record the
            // command.
            Ok(unsafe { self.driver_queue().copy_rows(to.pointer(), from.pointer(), *rows) }?)
        })
    }

    /// Migrates shared memory to the device ahead of its use, or to the host. No-op for other
    /// memory.
    pub fn prefetch<T: Element>(&self, buffer: &Buffer<T>, to_host: bool) -> Result<Event, RuntimeError> {
        let memory = buffer.memory();
        self.hint(memory, || {
            // SAFETY: the range belongs to the buffer, which records the command.
            Ok(unsafe { self.driver_queue().prefetch(memory.pointer(), memory.size(), to_host) }?)
        })
    }

    /// Mem-advise for shared memory. No-op for other memory.
    pub fn advise<T: Element>(&self, buffer: &Buffer<T>, advice: Advice) -> Result<Event, RuntimeError> {
        let memory = buffer.memory();
        self.hint(memory, || {
            // SAFETY: the range belongs to the buffer, which records the command.
            Ok(unsafe { self.driver_queue().advise(memory.pointer(), memory.size(), advice) }?)
        })
    }

    fn hint(
        &self,
        memory: &Memory<Queue>,
        submit: impl FnOnce() -> Result<Ticket, RuntimeError>,
    ) -> Result<Event, RuntimeError> {
        let is_useful = memory.size() > 0 && memory.kind() == MemoryKind::Shared;
        let submit = || if is_useful { submit() } else { Ok(self.driver_queue().last()) };
        commands::on(self, memory, Access::Read, submit)
    }
}
