//! Fills and copies of buffers.
//!
//! *Invariant:* a command on a host slice is complete when the method returns; a command on buffers
//! waits for those of other queues that use them.
#![expect(unsafe_code, reason = "submits commands on memory that buffers own")]

use super::{
    buffer::{Buffer, Element, Memory, bytes_of},
    event::Event,
    uses::Access,
};
use crate::{
    error::{RuntimeError, check},
    ffi,
    queue::Queue,
};
use std::ffi::c_void;

fn check_lengths(buffer: usize, other: usize) -> Result<(), RuntimeError> {
    if buffer == other {
        return Ok(());
    }
    Err(RuntimeError::invalid(format!("the buffer has {buffer} elements, the other side {other}")))
}

impl Queue {
    /// Submits a command on one allocation; `submit` stores its ticket.
    fn command(
        &self,
        memory: &Memory,
        access: Access,
        submit: impl FnOnce(&mut u64) -> i32,
    ) -> Result<Event, RuntimeError> {
        memory.check_queue(self)?;
        memory.uses.order(self, access)?;
        let mut ticket = 0;
        check(submit(&mut ticket))?;
        let event = Event::new(self, ticket);
        memory.uses.add(event.clone(), access);
        Ok(event)
    }

    pub(super) fn fill_bytes(&self, memory: &Memory, pattern: &[u8], count: usize) -> Result<Event, RuntimeError> {
        self.command(memory, Access::Write, |ticket| {
            let (to, from) = (memory.pointer(), pattern.as_ptr().cast());
            // SAFETY: callers pass as many patterns as the memory holds, which it keeps until the command is complete.
            unsafe { ffi::sinter_queue_fill(self.raw(), to, from, pattern.len(), count, ticket) }
        })
    }

    /// Writes `value` to every element.
    pub fn fill<T: Element>(&self, buffer: &mut Buffer<T>, value: T) -> Result<Event, RuntimeError> {
        self.fill_bytes(buffer.memory(), bytes_of(&[value]), buffer.len())
    }

    /// Copies all elements of `from`. An error if the lengths differ.
    pub fn copy<T: Element>(&self, to: &mut Buffer<T>, from: &Buffer<T>) -> Result<Event, RuntimeError> {
        check_lengths(to.len(), from.len())?;
        let (to, from) = (to.memory(), from.memory());
        to.check_queue(self)?;
        to.uses.order(self, Access::Write)?;
        let event = self
            .command(from, Access::Read, |ticket| self.copy_bytes(to.pointer(), from.pointer(), from.size, ticket))?;
        to.uses.add(event.clone(), Access::Write);
        Ok(event)
    }

    fn copy_bytes(&self, to: *mut c_void, from: *const c_void, size: usize, ticket: &mut u64) -> i32 {
        // SAFETY: both ranges hold `size` bytes and are different objects; buffers keep the
        // command's event, host slices are waited for.
        unsafe { ffi::sinter_queue_memcpy(self.raw(), to, from, size, ticket) }
    }

    /// Blocks until a command on a host slice is complete, even if it or an earlier one failed:
    /// afterwards the slice belongs to the caller again.
    fn finish(&self, event: &Event) -> Result<(), RuntimeError> {
        let result = event.wait();
        if result.is_err() && !matches!(event.is_complete(), Ok(true)) {
            // The first error is the one that is returned.
            let _ = event.wait();
        }
        result
    }

    /// Copies `values` into the buffer. An error if the lengths differ.
    pub fn write<T: Element>(&self, buffer: &mut Buffer<T>, values: &[T]) -> Result<(), RuntimeError> {
        check_lengths(buffer.len(), values.len())?;
        let (memory, from) = (buffer.memory(), values.as_ptr().cast());
        let event =
            self.command(memory, Access::Write, |ticket| self.copy_bytes(memory.pointer(), from, memory.size, ticket))?;
        self.finish(&event)
    }

    /// Copies the buffer into `values`. An error if the lengths differ.
    pub fn read<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<(), RuntimeError> {
        check_lengths(buffer.len(), values.len())?;
        let (memory, to) = (buffer.memory(), values.as_mut_ptr().cast());
        let event =
            self.command(memory, Access::Read, |ticket| self.copy_bytes(to, memory.pointer(), memory.size, ticket))?;
        self.finish(&event)
    }

    /// Copies the buffer's elements into a vector.
    pub fn read_vec<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, RuntimeError> {
        let mut values = Vec::with_capacity(buffer.len());
        // SAFETY: zero bytes are a value of every element.
        values.resize(buffer.len(), unsafe { std::mem::zeroed() });
        self.read(buffer, &mut values)?;
        Ok(values)
    }
}
