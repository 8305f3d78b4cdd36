//! Fills and copies of buffers.
//!
//! In: buffers and host slices. Out: commands. *Invariant:* a command on a host slice is complete when the method returns,
//! and a command on buffers waits for those of other queues that use them.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use super::{
    buffer::{Buffer, Element, Memory, bytes_of},
    event::Event,
    uses::Access,
};
use crate::{error::RuntimeError, queue::Queue};
use sinter_driver::{Advice, MemoryKind, Rows, Ticket};
use std::ffi::c_void;

fn check_lengths(buffer: usize, other: usize) -> Result<(), RuntimeError> {
    if buffer == other {
        return Ok(());
    }
    Err(RuntimeError::invalid("length", format!("the buffer has {buffer} elements, the other side {other}")))
}

/// Refuses rows that overlap or leave the buffer.
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

impl Queue {
    /// Later commands start only when `event` is complete.
    pub fn depend_on(&self, event: &Event) -> Result<(), RuntimeError> {
        self.depend(event.queue(), event.ticket())
    }

    /// Blocks until every command submitted so far is complete.
    pub fn wait_all(&self) -> Result<(), RuntimeError> {
        self.wait(self.driver_queue().last())
    }

    /// Submits a command on one piece of memory.
    fn command(
        &self,
        memory: &Memory,
        access: Access,
        submit: impl FnOnce() -> Result<Ticket, RuntimeError>,
    ) -> Result<Event, RuntimeError> {
        memory.check_queue(self)?;
        memory.uses.order(self, access)?;
        let event = Event::new(self, submit()?);
        memory.uses.add(event.clone(), access);
        Ok(event)
    }

    pub(super) fn fill_bytes(&self, memory: &Memory, pattern: &[u8], count: usize) -> Result<Event, RuntimeError> {
        self.command(memory, Access::Write, || {
            if count == 0 || pattern.is_empty() {
                return Ok(self.driver_queue().last());
            }
            // SAFETY: callers pass as many patterns as the memory holds, which it keeps until the command is complete.
            Ok(unsafe { self.driver_queue().fill(memory.pointer(), pattern, count) }?)
        })
    }

    /// Writes `value` to every element.
    pub fn fill<T: Element>(&self, buffer: &mut Buffer<T>, value: T) -> Result<Event, RuntimeError> {
        let count = buffer.len();
        self.fill_bytes(buffer.memory(), bytes_of(&[value]), count)
    }

    /// Copies all elements of `from`.
    pub fn copy<T: Element>(&self, to: &mut Buffer<T>, from: &Buffer<T>) -> Result<Event, RuntimeError> {
        check_lengths(to.len(), from.len())?;
        let (to, from, size) = (to.memory(), from.memory(), from.len() * size_of::<T>());
        to.check_queue(self)?;
        to.uses.order(self, Access::Write)?;
        let event = self.command(from, Access::Read, || self.copy_bytes(to.pointer(), from.pointer(), size))?;
        to.uses.add(event.clone(), Access::Write);
        Ok(event)
    }

    fn copy_bytes(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<Ticket, RuntimeError> {
        if size == 0 {
            return Ok(self.driver_queue().last());
        }
        // SAFETY: both ranges hold `size` bytes and are different objects; buffers remember the command, host slices are
        // waited for.
        Ok(unsafe { self.driver_queue().copy(to, from, size) }?)
    }

    /// Copies `values` to the buffer, and waits for it.
    pub fn write<T: Element>(&self, buffer: &mut Buffer<T>, values: &[T]) -> Result<(), RuntimeError> {
        check_lengths(buffer.len(), values.len())?;
        let (memory, size) = (buffer.memory(), size_of_val(values));
        let submit = || self.copy_bytes(memory.pointer(), values.as_ptr().cast(), size);
        self.finish(&self.command(memory, Access::Write, submit)?)
    }

    /// Blocks until a command on a host slice is complete, also where an error of it or of an earlier one is returned: the
    /// slice is the caller's again afterwards.
    fn finish(&self, event: &Event) -> Result<(), RuntimeError> {
        let result = event.wait();
        if result.is_err() && !matches!(event.is_complete(), Ok(true)) {
            self.settle(event.ticket());
        }
        result
    }

    /// Copies a rectangle from the start of one buffer to the start of another. `rows` is in bytes.
    pub fn copy_rows<T: Element>(
        &self,
        to: &mut Buffer<T>,
        from: &Buffer<T>,
        rows: &Rows,
    ) -> Result<Event, RuntimeError> {
        check_rows("destination", rows, rows.destination_pitch, to.len() * size_of::<T>())?;
        check_rows("source", rows, rows.source_pitch, from.len() * size_of::<T>())?;
        let (to, from) = (to.memory(), from.memory());
        to.check_queue(self)?;
        to.uses.order(self, Access::Write)?;
        let event = self.command(from, Access::Read, || {
            if rows.width == 0 || rows.height == 0 {
                return Ok(self.driver_queue().last());
            }
            // SAFETY: both rectangles lie in buffers, which are different objects and remember the command.
            Ok(unsafe { self.driver_queue().copy_rows(to.pointer(), from.pointer(), *rows) }?)
        })?;
        to.uses.add(event.clone(), Access::Write);
        Ok(event)
    }

    /// Moves shared memory to the device ahead of its use, or to the host. Other memory stays where it is.
    pub fn prefetch<T: Element>(&self, buffer: &Buffer<T>, to_host: bool) -> Result<Event, RuntimeError> {
        let (memory, size) = (buffer.memory(), buffer.len() * size_of::<T>());
        self.hint(memory, size, || {
            // SAFETY: the range is the buffer's, which remembers the command.
            Ok(unsafe { self.driver_queue().prefetch(memory.pointer(), size, to_host) }?)
        })
    }

    /// Says what to expect of shared memory. For other memory it means nothing.
    pub fn advise<T: Element>(&self, buffer: &Buffer<T>, advice: Advice) -> Result<Event, RuntimeError> {
        let (memory, size) = (buffer.memory(), buffer.len() * size_of::<T>());
        self.hint(memory, size, || {
            // SAFETY: the range is the buffer's, which remembers the command.
            Ok(unsafe { self.driver_queue().advise(memory.pointer(), size, advice) }?)
        })
    }

    fn hint(
        &self,
        memory: &Memory,
        size: usize,
        submit: impl FnOnce() -> Result<Ticket, RuntimeError>,
    ) -> Result<Event, RuntimeError> {
        let is_useful = size > 0 && memory.kind == MemoryKind::Shared;
        self.command(memory, Access::Read, || if is_useful { submit() } else { Ok(self.driver_queue().last()) })
    }

    /// Copies the elements of the buffer to `values`, and waits for it.
    pub fn read<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<(), RuntimeError> {
        check_lengths(buffer.len(), values.len())?;
        let (memory, size) = (buffer.memory(), size_of_val(values));
        let submit = || self.copy_bytes(values.as_mut_ptr().cast(), memory.pointer(), size);
        self.finish(&self.command(memory, Access::Read, submit)?)
    }

    /// The elements of the buffer.
    pub fn read_vec<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, RuntimeError> {
        let mut values: Vec<T> = Vec::with_capacity(buffer.len());
        let (memory, size) = (buffer.memory(), buffer.len() * size_of::<T>());
        let submit = || self.copy_bytes(values.as_mut_ptr().cast(), memory.pointer(), size);
        self.finish(&self.command(memory, Access::Read, submit)?)?;
        // SAFETY: the copy wrote as many elements, and is complete.
        unsafe { values.set_len(buffer.len()) };
        Ok(values)
    }
}
