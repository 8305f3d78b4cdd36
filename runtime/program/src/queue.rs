//! Operations that buffers and launches require of a queue.
//!
//! *Invariant:* a queue is a timeline, and an event is a position on it.
#![expect(unsafe_code, reason = "declares unsafe methods of a trait")]

use crate::mistake::Mistake;
use std::{borrow::Borrow, ffi::c_void};

/// Kinds of USM. The numbers are those of `sinter_memory_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// Device memory; the host accesses it only through copies.
    Device = 1,
    /// Host memory that the device can access.
    Host = 2,
    /// Shared memory, which migrates between host and device on use.
    Shared = 3,
}

/// Times of a command, in nanoseconds of one clock: `CLOCK_MONOTONIC` for drivers that run code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Profile {
    /// Submission to the queue.
    pub submit: u64,
    /// Start of execution.
    pub start: u64,
    /// Completion.
    pub end: u64,
}

/// An in-order queue of a device. Clones are handles of the same queue.
///
/// # Safety
/// Memory from [`Queue::allocate`] belongs to the caller alone until it is freed, is aligned to 16
/// bytes, has the requested size, and may be accessed by the host unless it is
/// [`MemoryKind::Device`]. A command does not use memory after [`Queue::wait`] or [`Queue::settle`]
/// reported that its ticket or a later one is complete, and it starts after the tickets that were
/// passed to [`Queue::depend`] before it was submitted.
pub unsafe trait Queue: Clone + Send + Sync {
    /// Error of failed operations.
    type Error: From<Mistake>;
    /// Position of a command. Later commands of a queue have greater tickets.
    type Ticket: Copy + Ord + Send + Sync;
    /// Device that memory is allocated on.
    type Device: ?Sized;
    /// Handle that memory holds to keep its device alive.
    type Owner: Borrow<Self::Device> + Clone + Send + Sync;

    /// True if both are handles of one queue.
    fn is(&self, other: &Self) -> bool;
    /// Device of the queue.
    fn owner(&self) -> &Self::Owner;
    /// Index of a device, for messages.
    fn number(device: &Self::Device) -> u32;
    /// True if commands of this queue can access memory of `device`.
    fn reaches(&self, device: &Self::Device, kind: MemoryKind) -> bool;
    /// Allocates USM; null for a size of 0.
    fn allocate(device: &Self::Owner, kind: MemoryKind, size: usize) -> Result<*mut c_void, Self::Error>;
    /// Frees memory. Errors are dropped, because no caller could handle them.
    ///
    /// # Safety
    /// [`Queue::allocate`] gave the pointer for this device, and no command uses the memory any
    /// more.
    unsafe fn free(device: &Self::Device, pointer: *mut c_void);
    /// Submits `count` repetitions of `pattern`, which is copied before the method returns.
    ///
    /// # Safety
    /// The destination has room for all repetitions until the command is complete.
    unsafe fn submit_fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<Self::Ticket, Self::Error>;
    /// Submits a copy of `size` bytes.
    ///
    /// # Safety
    /// Both ranges have `size` bytes until the command is complete, and do not overlap.
    unsafe fn submit_copy(
        &self,
        to: *mut c_void,
        from: *const c_void,
        size: usize,
    ) -> Result<Self::Ticket, Self::Error>;
    /// Makes later commands wait for `ticket` of `other`.
    fn depend(&self, other: &Self, ticket: Self::Ticket) -> Result<(), Self::Error>;
    /// Blocks until `ticket` is complete. Returns an asynchronous error of the queue once.
    fn wait(&self, ticket: Self::Ticket) -> Result<(), Self::Error>;
    /// Blocks until `ticket` is complete, where an error cannot be returned. Returns false if it is
    /// not complete.
    fn settle(&self, ticket: Self::Ticket) -> bool;
    /// True if `ticket` is complete.
    fn is_complete(&self, ticket: Self::Ticket) -> Result<bool, Self::Error>;
    /// Blocks until `ticket` is complete, then returns its times.
    fn profile(&self, ticket: Self::Ticket) -> Result<Profile, Self::Error>;
}
