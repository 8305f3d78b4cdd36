//! Transfers between the copies of a buffer.
//!
//! In: a move that the graph plans. Out: commands on queues. *Invariant:* a transfer to a device
//! runs on the queue of the command that needs it, one to the host on a queue of the device that
//! has the bytes. Between devices whose driver cannot copy directly the bytes go through the host's
//! copy, which then has them too.
#![expect(unsafe_code, reason = "submits copies and copies memory of the program")]

use super::{
    bounds::{self, Bounds, Shape},
    cells::{Move, Place},
    event::Event,
    record::{PROGRAM, State},
};
use crate::{devices::DeviceEntry, error::RuntimeError};
use sinter_driver::{Queue, Rows, Ticket};
use std::{ffi::c_void, sync::Arc};

/// Where a transfer runs.
#[derive(Clone)]
enum Route {
    /// On the queue of the command.
    Command,
    /// On a queue for transfers from a device.
    Service(Arc<dyn Queue>),
    /// On the calling thread: the source is memory of the program, which nothing writes.
    Here,
}

/// A transfer with its addresses.
pub(super) struct Transfer {
    bounds: Bounds,
    shape: Shape,
    to: Place,
    source: *mut c_void,
    destination: *mut c_void,
    after: Option<Event>,
    route: Route,
}

// SAFETY: the addresses are those of copies of a buffer that the command keeps alive.
unsafe impl Send for Transfer {}

/// A box of bytes to copy, with the pitches of both sides.
#[derive(Debug, Clone, Copy)]
pub struct Brick {
    /// Bytes in a row, rows in a plane, planes.
    pub lengths: [usize; 3],
    /// Bytes between rows, and between planes, of the destination.
    pub to_pitches: [usize; 2],
    /// Bytes between rows, and between planes, of the source.
    pub from_pitches: [usize; 2],
}

impl Brick {
    /// True if each side is one run of bytes.
    fn is_dense(&self) -> bool {
        let [width, height, depth] = self.lengths;
        let rows = height == 1 || (self.to_pitches[0] == width && self.from_pitches[0] == width);
        let plane = width * height;
        rows && (depth == 1 || (self.to_pitches[1] == plane && self.from_pitches[1] == plane))
    }

    /// Submits the copy.
    ///
    /// # Safety
    /// Both boxes are valid until the command is complete, and do not overlap.
    pub(super) unsafe fn submit(
        &self,
        queue: &dyn Queue,
        to: *mut c_void,
        from: *const c_void,
    ) -> Result<Ticket, RuntimeError> {
        let [width, height, depth] = self.lengths;
        if self.is_dense() {
            // SAFETY: the same contract, upheld by the caller.
            return Ok(unsafe { queue.copy(to, from, width * height * depth) }?);
        }
        let rows = Rows { destination_pitch: self.to_pitches[0], source_pitch: self.from_pitches[0], width, height };
        for plane in 0..depth {
            let to = to.wrapping_byte_add(plane * self.to_pitches[1]);
            let from = from.wrapping_byte_add(plane * self.from_pitches[1]);
            // SAFETY: the same contract, upheld by the caller.
            unsafe { queue.copy_rows(to, from, rows) }?;
        }
        Ok(queue.last())
    }

    /// Copies on this thread.
    ///
    /// # Safety
    /// As for [`Brick::submit`], and no command writes to either box.
    unsafe fn copy_here(&self, to: *mut c_void, from: *const c_void) {
        let [width, height, depth] = self.lengths;
        for (plane, row) in (0..depth).flat_map(|plane| (0..height).map(move |row| (plane, row))) {
            let to = to.wrapping_byte_add(plane * self.to_pitches[1] + row * self.to_pitches[0]);
            let from = from.wrapping_byte_add(plane * self.from_pitches[1] + row * self.from_pitches[0]);
            // SAFETY: upheld by the caller.
            unsafe { to.cast::<u8>().copy_from_nonoverlapping(from.cast(), width) };
        }
    }
}

impl Transfer {
    /// Event after which the source has the bytes.
    pub(super) fn after(&self) -> Option<&Event> {
        self.after.as_ref()
    }

    /// The bytes, and the place that gets them.
    pub(super) fn record(&self) -> (Bounds, Place) {
        (self.bounds, self.to)
    }

    fn brick(&self) -> Brick {
        let pitches = [self.shape[0], self.shape[0] * self.shape[1]];
        Brick { lengths: self.bounds.lengths(), to_pitches: pitches, from_pitches: pitches }
    }

    /// Submits the transfer; `lane` is the queue of the command, which then waits for it. Errors of
    /// another queue are those of the command that brought the bytes to the source.
    pub(super) fn run(&self, lane: Option<&Arc<dyn Queue>>) -> Result<Option<Event>, RuntimeError> {
        let start = bounds::offset(self.shape, self.bounds.low);
        let (to, from) = (self.destination.wrapping_byte_add(start), self.source.wrapping_byte_add(start));
        let queue = match (&self.route, lane) {
            (Route::Service(service), _) => service,
            (Route::Command, Some(lane)) => lane,
            (Route::Here, _) | (Route::Command, None) => {
                // SAFETY: the copies have the buffer's size, and nothing uses these parts yet.
                unsafe { self.brick().copy_here(to, from) };
                return Ok(None);
            }
        };
        if let Some(after) = &self.after {
            after.precede(&**queue)?;
        }
        // SAFETY: the copies have the buffer's size, and later commands wait for the event.
        let ticket = unsafe { self.brick().submit(&**queue, to, from) }?;
        let event = match (&self.route, &self.after) {
            (Route::Service(_), Some(after)) => after.followed_by(queue, ticket),
            _ => Event::of(queue, ticket),
        };
        if let (Route::Service(_), Some(lane)) = (&self.route, lane) {
            lane.depend(&event.queue, event.ticket)?;
        }
        Ok(Some(event))
    }
}

/// Resolves a move to transfers. `device`: that of the command, if it runs on one.
pub(super) fn resolve(
    state: &mut State,
    shape: Shape,
    planned: Move,
    device: Option<&Arc<DeviceEntry>>,
) -> Result<Vec<Transfer>, RuntimeError> {
    let Move { buffer: _, bounds, from, to, after } = planned;
    let size = shape.iter().product();
    let source_device = state.device(from).filter(|_| from != Place::HOST);
    let mut result = Vec::new();
    let mut make = |state: &mut State, from: Place, to: Place, after: Option<Event>, route: Route| {
        let none = || RuntimeError::Internal { message: "a buffer has lost a copy".to_owned() };
        let source = state.existing(from).ok_or_else(none)?;
        let destination = state.copy(to, device.filter(|_| to != Place::HOST || is_hosts(device)), size)?;
        result.push(Transfer { bounds, shape, to, source, destination, after, route });
        Ok::<(), RuntimeError>(())
    };
    match source_device {
        None if to == Place::HOST && from == PROGRAM && !is_hosts(device) => {
            make(state, from, to, None, Route::Here)?;
        }
        None => make(state, from, to, after, Route::Command)?,
        Some(source) if to != Place::HOST && copies_directly(&source, device) => {
            make(state, from, to, after, Route::Command)?;
        }
        Some(source) => {
            let service = Route::Service(source.buffers.service(&*source.device)?);
            make(state, from, Place::HOST, after, service)?;
            if to != Place::HOST {
                make(state, Place::HOST, to, None, Route::Command)?;
            }
        }
    }
    Ok(result)
}

/// True if the command's device works on the memory of the process.
fn is_hosts(device: Option<&Arc<DeviceEntry>>) -> bool {
    device.is_some_and(|device| super::record::place_of(device) == Place::HOST)
}

/// True if a queue of the command's device can copy from memory of the other one.
fn copies_directly(source: &DeviceEntry, device: Option<&Arc<DeviceEntry>>) -> bool {
    device.is_some_and(|device| device.device.copies_from(&*source.device))
}
