//! Use of buffers by the host: host accessors, and the contents at the end of a buffer's life.
//!
//! *Invariant:* while a host accessor lives, conflicting commands that are submitted later wait for
//! it, and those submitted before it are complete.
#![expect(unsafe_code, reason = "copies the contents of buffers to memory of the program")]

use super::{
    cells::{Place, Use},
    event::{self, Event, Events, Waits},
    gate::Gate,
    plan::{Locked, Plan, Requirement},
    record::Buffer,
};
use crate::{abi::ByteBox, error::RuntimeError};
use std::{ffi::c_void, sync::Arc};

/// A host accessor's hold on a part of a buffer, until it is dropped.
pub struct HostAccess {
    gate: Arc<Gate>,
    /// Memory of the whole buffer.
    pub pointer: *mut c_void,
    _buffer: Arc<Buffer>,
}

impl Drop for HostAccess {
    fn drop(&mut self) {
        self.gate.open();
    }
}

impl HostAccess {
    /// Brings the newest bytes of a box to the host. Blocks until they are there and the commands
    /// that the access conflicts with are complete.
    pub(crate) fn new(buffer: &Arc<Buffer>, bytes: ByteBox, access: Use) -> Result<Self, RuntimeError> {
        let pointer = buffer.pointer(None)?;
        let gate = Arc::new(Gate::of_this_thread());
        let held = HostAccess { gate: Arc::clone(&gate), pointer, _buffer: Arc::clone(buffer) };
        let requirements = [Requirement { buffer, bytes: &bytes, access, on_host: true }];
        let (mut locked, plan) = plan(&requirements)?;
        // A second accessor of this thread would wait for ever for the first one.
        let Waits { events, needs } = plan.waits;
        let (own, mut events): (Events, Events) = events.into_iter().partition(Event::is_mine);
        for (index, transfer) in &plan.transfers {
            let event = transfer.run(None)?;
            let (bounds, to) = transfer.record();
            locked.moved(*index, &bounds, to, event.as_ref());
            events.extend(event);
        }
        locked.used(&Event::of_gate(&gate));
        own.iter().for_each(|event| locked.read(event));
        drop(locked);
        event::wait_all(&events)?;
        Waits { events, needs }.check()?;
        Ok(held)
    }
}

/// Plans an access of the host. Devices cannot wait for events of the program, so those before the
/// transfers are waited for here, without locks.
fn plan<'a>(requirements: &'a [Requirement<'a>]) -> Result<(Locked<'a>, Plan), RuntimeError> {
    loop {
        let (locked, plan) = Locked::of(requirements, Place::HOST, None)?;
        let sources = plan.transfers.iter().filter_map(|(_, transfer)| transfer.after());
        let late: Vec<_> = sources.filter(|event| event.is_kept_back()).cloned().collect();
        if late.is_empty() {
            plan.waits.check()?;
            return Ok((locked, plan));
        }
        drop(locked);
        event::wait_all(&late)?;
    }
}

/// Waits for the commands of a buffer whose contents cannot be read. Nobody gets the error of a
/// destructor, so it is left to the queue of one of the commands.
fn settle(events: &[Event], error: &RuntimeError) {
    if !matches!(error, RuntimeError::Depends { .. }) {
        let _ = events.first().map(|event| event.report(error));
    }
    drop(event::wait_all(events));
}

impl Buffer {
    /// The box of the whole buffer.
    fn all(&self) -> ByteBox {
        let [width, height, depth] = self.shape.map(|length| length as u64);
        ByteBox { start: 0, width, height, depth, row_pitch: width, plane_pitch: width * height }
    }

    /// Blocks until all commands that use the buffer are complete, and copies its contents to
    /// `destination`, unless that is null, the buffer's own memory, or nothing was ever written.
    ///
    /// # Safety
    /// `destination` is null or has the size of the buffer.
    pub unsafe fn finish(self: &Arc<Self>, destination: *mut c_void) -> Result<(), RuntimeError> {
        if self.size() == 0 {
            return Ok(());
        }
        let has_content = self.lock().cells.has_content();
        if destination.is_null() || !has_content {
            let events = self.lock().cells.events();
            return event::wait_all(&events);
        }
        let events = self.lock().cells.events();
        let held = HostAccess::new(self, self.all(), Use { reads: true, writes: true });
        let held = held.inspect_err(|error| settle(&events, error))?;
        if held.pointer != destination {
            // SAFETY: both have the buffer's size, by the caller's promise, and no command is left.
            unsafe { std::ptr::copy(held.pointer.cast::<u8>(), destination.cast(), self.size()) };
        }
        Ok(())
    }

    /// True if commands may use memory of the program.
    pub fn borrows(&self) -> bool {
        self.lock().is_shared_with_program()
    }

    /// Keeps later commands from writing to the program's memory: moves the contents to memory of
    /// the buffer's own. Blocks until all commands are complete.
    pub fn detach(self: &Arc<Self>) -> Result<(), RuntimeError> {
        let events = self.lock().cells.events();
        if events.iter().any(Event::is_mine) {
            let reason = "has a host accessor of this thread, which keeps its memory: destroy that first";
            return Err(RuntimeError::invalid("buffer", reason));
        }
        event::wait_all(&events)?;
        self.leave_program()
    }
}
