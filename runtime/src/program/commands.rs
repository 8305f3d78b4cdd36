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
use sinter_driver::Ticket;
use std::ffi::c_void;

fn check_lengths(buffer: usize, other: usize) -> Result<(), RuntimeError> {
    if buffer == other {
        return Ok(());
    }
    Err(RuntimeError::invalid("length", format!("the buffer has {buffer} elements, the other side {other}")))
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
        self.command(memory, Access::Write, submit)?.wait()
    }

    /// Copies the elements of the buffer to `values`, and waits for it.
    pub fn read<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<(), RuntimeError> {
        check_lengths(buffer.len(), values.len())?;
        let (memory, size) = (buffer.memory(), size_of_val(values));
        let submit = || self.copy_bytes(values.as_mut_ptr().cast(), memory.pointer(), size);
        self.command(memory, Access::Read, submit)?.wait()
    }

    /// The elements of the buffer.
    pub fn read_vec<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, RuntimeError> {
        let mut values: Vec<T> = Vec::with_capacity(buffer.len());
        let (memory, size) = (buffer.memory(), buffer.len() * size_of::<T>());
        let submit = || self.copy_bytes(values.as_mut_ptr().cast(), memory.pointer(), size);
        self.command(memory, Access::Read, submit)?.wait()?;
        // SAFETY: the copy wrote as many elements, and is complete.
        unsafe { values.set_len(buffer.len()) };
        Ok(values)
    }
}
