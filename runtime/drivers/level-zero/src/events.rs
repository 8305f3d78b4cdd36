//! Events and the pools that they belong to.
//!
//! In: positions in lists. Out: events that are signalled there, optionally with a timestamp.
//! *Invariant:* an event is reset before it is recorded again, and only after it was signalled: if
//! a late signal followed a reset, the command would seem complete.
//!
//! A timestamp is the device's clock at a position in the list
//! (`zeCommandListAppendWriteGlobalTimestamp`), written to host memory. The timestamps of events
//! themselves cannot be used: the specification leaves them undefined for an event that a list
//! signals outside a command.

use crate::lists::Lists;
use level_zero_sys::types::{
    CommandList, EventDesc, EventPoolDesc, EventPoolStruct, EventStruct, FOREVER, HostMemoryDesc, POOL_HOST_VISIBLE,
    SCOPE_HOST, Structure,
};
use sinter_driver_common::{Failure, Handle, lock};
use std::{
    ffi::c_void,
    mem, ptr,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// Number of events in a pool.
const POOL: u32 = 64;

/// An event.
pub(crate) struct Event {
    handle: Handle<EventStruct>,
    /// Destination of its timestamp, in host memory that the device can access; null without a
    /// timestamp.
    time: Handle<u64>,
    /// True once the event has been recorded.
    recorded: AtomicBool,
}

/// A pool, which is destroyed with the context.
struct Pool {
    handle: Handle<EventPoolStruct>,
    times: Handle<u64>,
    /// Number of events created in it.
    made: u32,
}

/// Event pools of a device.
#[derive(Default)]
pub(crate) struct Events {
    /// Index 0 without timestamps, index 1 with them.
    pools: [Mutex<Vec<Pool>>; 2],
    /// Spare events of [`Events::pass`], for lists that cannot be waited for.
    fences: Mutex<Vec<Handle<Event>>>,
}

impl Pool {
    fn new(lists: &Lists, timed: bool) -> Result<Self, Failure> {
        let (mut desc, mut pool) = (EventPoolDesc::new(), ptr::null_mut());
        (desc.flags, desc.count) = (POOL_HOST_VISIBLE, POOL);
        let times = if timed { times(lists)? } else { ptr::null_mut() };
        // An empty list would mean all devices, but a loader with several drivers does not forward
        // that.
        let mut devices = lists.platform.handles();
        let (count, place) = (devices.len() as u32, devices.as_mut_ptr());
        // SAFETY: the context is alive, the count is that of the devices, and `pool` is writable.
        let made = unsafe { lists.api().pool_create(lists.context(), &raw const desc, count, place, &raw mut pool) };
        if made.is_err() {
            release_times(lists, times);
        }
        made.map(|()| Pool { handle: Handle(pool), times: Handle(times), made: 0 })
    }

    fn end(self, lists: &Lists) {
        // SAFETY: all its events were destroyed. An error needs no handling.
        let _ = unsafe { lists.api().pool_destroy(self.handle.0) };
        release_times(lists, self.times.0);
    }
}

/// Host memory for the timestamps of a pool.
fn times(lists: &Lists) -> Result<*mut u64, Failure> {
    let (desc, mut memory) = (HostMemoryDesc::new(), ptr::null_mut());
    let (size, alignment) = (POOL as usize * size_of::<u64>(), size_of::<u64>());
    // SAFETY: the context is alive, and `memory` is writable.
    unsafe { lists.api().allocate_host(lists.context(), &raw const desc, size, alignment, &raw mut memory) }?;
    Ok(memory.cast())
}

fn release_times(lists: &Lists, times: *mut u64) {
    if !times.is_null() {
        // SAFETY: the memory is ours, and no list writes to it any more. An error needs no
        // handling.
        let _ = unsafe { lists.api().free(lists.context(), times.cast::<c_void>()) };
    }
}

impl Events {
    /// Creates an event, with or without a timestamp.
    pub(crate) fn create(&self, lists: &Lists, timed: bool) -> Result<*mut Event, Failure> {
        let mut pools = lock(&self.pools[usize::from(timed)]);
        if pools.last().is_none_or(|pool| pool.made == POOL) {
            pools.push(Pool::new(lists, timed)?);
        }
        let newest = pools.len() - 1;
        let pool = &mut pools[newest];
        let (mut desc, mut handle) = (EventDesc::new(), ptr::null_mut());
        (desc.index, desc.signal, desc.wait) = (pool.made, SCOPE_HOST, SCOPE_HOST);
        // SAFETY: the pool has no event of this index, and `handle` is writable.
        unsafe { lists.api().event_create(pool.handle.0, &raw const desc, &raw mut handle) }?;
        let time = if timed { pool.times.0.wrapping_add(pool.made as usize) } else { ptr::null_mut() };
        pool.made += 1;
        let event = Event { handle: Handle(handle), time: Handle(time), recorded: AtomicBool::new(false) };
        Ok(Box::into_raw(Box::new(event)))
    }

    /// Waits for everything submitted to a list so far, by means of an event.
    ///
    /// # Safety
    /// The list is alive.
    pub(crate) unsafe fn pass(&self, lists: &Lists, list: CommandList) -> Result<(), Failure> {
        let spare = lock(&self.fences).pop();
        let fence = spare.map_or_else(|| self.create(lists, false), |fence| Ok(fence.0))?;
        // SAFETY: the event is alive, and nobody else has it.
        let event = unsafe { &*fence };
        // SAFETY: the list is alive, and no list ever waits for the event.
        let passed = unsafe { event.record(lists, list) }.and_then(|()| event.synchronize(lists));
        lock(&self.fences).push(Handle(fence));
        passed
    }

    /// Destroys the pools and the spare events; all other events were destroyed by their owners.
    pub(crate) fn end(&self, lists: &Lists) {
        for fence in mem::take(&mut *lock(&self.fences)) {
            // SAFETY: nobody else has the event. An error needs no handling.
            let _ = unsafe { destroy(lists, fence.0) };
        }
        for pool in self.pools.iter().flat_map(|pools| mem::take(&mut *lock(pools))) {
            pool.end(lists);
        }
    }
}

/// Destroys an event.
///
/// # Safety
/// [`Events::create`] returned the event, and nobody uses it any more.
pub(crate) unsafe fn destroy(lists: &Lists, event: *mut Event) -> Result<(), Failure> {
    // SAFETY: [`Events::create`] made the box.
    let event = unsafe { Box::from_raw(event) };
    // SAFETY: upheld by the caller.
    unsafe { lists.api().event_destroy(event.handle.0) }
}

impl Event {
    pub(crate) fn handle(&self) -> *mut EventStruct {
        self.handle.0
    }

    /// Records the event at the end of a list.
    ///
    /// # Safety
    /// The list is alive, and no list waits for an earlier record of the event.
    pub(crate) unsafe fn record(&self, lists: &Lists, list: CommandList) -> Result<(), Failure> {
        if self.recorded.load(Ordering::Acquire) {
            self.reset(lists)?;
        }
        let (api, event, time) = (lists.api(), self.handle.0, self.time.0);
        let signal = || match time.is_null() {
            // SAFETY: list and event are alive.
            true => unsafe { api.append_signal(list, event) },
            // SAFETY: as above; the memory lives as long as the event's pool.
            false => unsafe { api.append_timestamp(list, time, event, 0, ptr::null_mut()) },
        };
        // SAFETY: upheld by the caller.
        let appended = unsafe { lists.append(list, signal) };
        // A signal that was not appended never comes.
        self.recorded.store(appended.is_ok(), Ordering::Release);
        appended
    }

    /// Resets the event after its last signal, which may still be outstanding although nobody waits
    /// for it.
    fn reset(&self, lists: &Lists) -> Result<(), Failure> {
        self.synchronize(lists)?;
        // SAFETY: the event is alive, and neither host nor device refers to it.
        unsafe { lists.api().event_reset(self.handle.0) }
    }

    /// Succeeds if the event was signalled; fails with a "not ready" code otherwise.
    pub(crate) fn query(&self, lists: &Lists) -> Result<(), Failure> {
        // SAFETY: the event is alive.
        unsafe { lists.api().event_query(self.handle.0) }
    }

    /// Blocks until the event is signalled.
    pub(crate) fn synchronize(&self, lists: &Lists) -> Result<(), Failure> {
        // SAFETY: the event is alive.
        unsafe { lists.api().event_synchronize(self.handle.0, FOREVER) }
    }

    /// Timestamp of the event on the device's clock; 0 for an event without one.
    pub(crate) fn time(&self) -> u64 {
        if self.time.0.is_null() {
            return 0;
        }
        // SAFETY: the memory is the event's, and the device wrote it before it signalled the event.
        unsafe { self.time.0.read_volatile() }
    }
}
