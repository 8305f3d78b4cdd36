//! The operations that buffers and launches are made of.
//!
//! *Invariant:* a queue is a timeline, and an event is a position on it.
#![expect(unsafe_code, reason = "declares unsafe methods of a trait")]

use crate::mistake::Mistake;
use std::{borrow::Borrow, ffi::c_void};

/// The place of memory, and who may use it. The numbers are those of `sinter_memory_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// Used by the device, reached by the host through copies only.
    Device = 1,
    /// Host memory that the device can read and write.
    Host = 2,
    /// Memory that moves between host and device on use.
    Shared = 3,
}

/// The times of a command, in nanoseconds of one clock: `CLOCK_MONOTONIC` where the driver runs anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Profile {
    /// The queue took it.
    pub submit: u64,
    /// It began to run.
    pub start: u64,
    /// It was complete.
    pub end: u64,
}

/// An in-order queue of a device. Clones are handles of the same queue.
///
/// # Safety
/// Memory that [`Queue::allocate`] gives is the caller's alone until it is freed, is aligned to 16
/// bytes, has the size asked for and may be used by the host unless it is [`MemoryKind::Device`]. A
/// command uses no memory once [`Queue::wait`] or [`Queue::settle`] said that its ticket or a later
/// one is complete, and starts after the tickets that [`Queue::depend`] named before it was
/// submitted.
pub unsafe trait Queue: Clone + Send + Sync {
    /// The error of failed operations.
    type Error: From<Mistake>;
    /// The position of a command. Later commands of the queue have greater ones.
    type Ticket: Copy + Ord + Send + Sync;
    /// The device that memory is allocated on.
    type Device: ?Sized;
    /// The part of its device that memory keeps alive.
    type Owner: Borrow<Self::Device> + Clone + Send + Sync;

    /// True if both are handles of one queue.
    fn is(&self, other: &Self) -> bool;
    /// Its device.
    fn owner(&self) -> &Self::Owner;
    /// The number of a device, for messages.
    fn number(device: &Self::Device) -> u32;
    /// True if commands of this queue can use memory of a device.
    fn reaches(&self, device: &Self::Device, kind: MemoryKind) -> bool;
    /// Memory of a device; null for a size of 0.
    fn allocate(device: &Self::Owner, kind: MemoryKind, size: usize) -> Result<*mut c_void, Self::Error>;
    /// Frees it. An error is nobody's to handle.
    ///
    /// # Safety
    /// [`Queue::allocate`] gave the pointer for this device, and no command uses the memory any more.
    unsafe fn free(device: &Self::Device, pointer: *mut c_void);
    /// Submits `count` repetitions of `pattern`, which is copied before the method returns.
    ///
    /// # Safety
    /// The destination holds as many bytes until the command is complete.
    unsafe fn submit_fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<Self::Ticket, Self::Error>;
    /// Submits a copy of `size` bytes.
    ///
    /// # Safety
    /// Both ranges hold as many bytes until the command is complete, and do not overlap.
    unsafe fn submit_copy(
        &self,
        to: *mut c_void,
        from: *const c_void,
        size: usize,
    ) -> Result<Self::Ticket, Self::Error>;
    /// Makes later commands wait for `ticket` of `other`.
    fn depend(&self, other: &Self, ticket: Self::Ticket) -> Result<(), Self::Error>;
    /// Blocks until `ticket` is complete. An asynchronous error of the queue is returned here, once.
    fn wait(&self, ticket: Self::Ticket) -> Result<(), Self::Error>;
    /// Blocks until `ticket` is complete, where nobody can take an error. The answer is whether it is.
    fn settle(&self, ticket: Self::Ticket) -> bool;
    /// True if `ticket` is complete.
    fn is_complete(&self, ticket: Self::Ticket) -> Result<bool, Self::Error>;
    /// Blocks until `ticket` is complete, then says when it ran.
    fn profile(&self, ticket: Self::Ticket) -> Result<Profile, Self::Error>;
}
