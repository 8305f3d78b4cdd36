//! Submits a command with requirements.
//!
//! In: a queue, requirements and a command. Out: a ticket of the queue. The command of an
//! out-of-order queue runs on the lane whose last command it depends on, or else on an idle one, so
//! that a chain of commands needs no events between lanes. *Invariant:* a command whose dependency
//! its queue cannot wait for without blocking the caller is submitted late, by a thread.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    bounds::{self, Bounds},
    cells::{Place, Use},
    event::{self, Event},
    late,
    record::{Buffer, State, place_of},
    transfer::{self, Brick, Transfer},
};
use crate::{
    abi::{ByteBox, Kernel},
    error::RuntimeError,
    lanes::Lanes,
    launch::{Launcher, shape::LaunchSize, values::Constant},
    queue::{HostTask, Queue},
};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::{
    ffi::c_void,
    sync::{Arc, MutexGuard},
};

/// A box of a buffer that a command accesses.
pub(crate) struct Requirement<'a> {
    pub(crate) buffer: &'a Arc<Buffer>,
    pub(crate) bytes: ByteBox,
    pub(crate) access: Use,
    /// True if the bytes are needed in memory of the host, whatever the device.
    pub(crate) on_host: bool,
}

/// What a command does.
pub(crate) enum Command<'a> {
    /// Nothing but to wait for its requirements.
    Nothing,
    Launch {
        kernel: *const Kernel,
        block: &'a [u8],
        size: LaunchSize,
        constants: &'a [Constant<'a>],
    },
    Copy {
        to: *mut c_void,
        from: *const c_void,
        brick: Brick,
    },
    /// Calls a function of the program, on a thread. It is dropped when the ticket is complete.
    HostTask(HostTask),
    /// Fills a box of `brick.lengths` patterns with the pitches of the destination.
    Fill {
        to: *mut c_void,
        pattern: &'a [u8],
        brick: Brick,
    },
}

/// A command with its requirements.
pub(crate) struct Submission<'a> {
    pub(crate) queue: &'a Queue,
    pub(crate) requirements: &'a [Requirement<'a>],
    pub(crate) command: Command<'a>,
    /// True if the command may run beside others of the queue.
    pub(crate) overlaps: bool,
}

/// A box of a buffer, for the graph.
pub(super) struct Access {
    /// Index of the buffer in the order of the locks.
    buffer: usize,
    bounds: Bounds,
    access: Use,
    place: Place,
}

/// The buffers of a command, locked, with what it does to them.
pub(super) struct Locked<'a> {
    buffers: Vec<&'a Arc<Buffer>>,
    states: Vec<MutexGuard<'a, State>>,
    accesses: Vec<Access>,
}

/// Everything that precedes a command.
pub(super) struct Plan {
    pub(super) waits: Vec<Event>,
    /// Each with the index of its buffer.
    pub(super) transfers: Vec<(usize, Transfer)>,
}

impl<'a> Locked<'a> {
    /// Locks the buffers, always in the same order.
    pub(super) fn new(requirements: &'a [Requirement<'a>], place: Place) -> Result<Self, RuntimeError> {
        let mut buffers: Vec<_> = requirements.iter().map(|one| one.buffer).collect();
        buffers.sort_unstable_by_key(|buffer| Arc::as_ptr(buffer).addr());
        buffers.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let mut accesses = Vec::with_capacity(requirements.len());
        for Requirement { buffer, bytes, access, on_host } in requirements {
            let place = if *on_host { Place::HOST } else { place };
            let found = buffers.iter().position(|known| Arc::ptr_eq(known, buffer)).unwrap_or_default();
            let cover = bounds::cover(buffer.shape, bytes)?;
            // Bytes outside of the accessor's box must keep their values.
            let reads = access.reads || (access.writes && !cover.is_exact);
            let access = Use { reads, ..*access };
            accesses.extend(cover.parts.into_iter().map(|bounds| Access { buffer: found, bounds, access, place }));
        }
        let states = buffers.iter().map(|buffer| buffer.lock()).collect();
        Ok(Locked { buffers, states, accesses })
    }

    /// What has to precede the command. Allocates the copies that it needs.
    pub(super) fn plan(&mut self, queue: Option<&Queue>) -> Result<Plan, RuntimeError> {
        let device = queue.map(Queue::device_handle);
        let mut plan = Plan { waits: Vec::new(), transfers: Vec::new() };
        let mut moves: Vec<Vec<_>> = self.buffers.iter().map(|_| Vec::new()).collect();
        for Access { buffer, bounds, access, place } in &self.accesses {
            self.states[*buffer].cells.plan(bounds, *access, *place, &mut plan.waits, &mut moves[*buffer]);
        }
        for (index, moves) in moves.iter().enumerate() {
            for planned in moves {
                let resolved = transfer::resolve(&mut self.states[index], self.buffers[index].shape, planned, device)?;
                plan.transfers.extend(resolved.into_iter().map(|transfer| (index, transfer)));
            }
        }
        Ok(plan)
    }

    /// Records a transfer of the plan.
    pub(super) fn moved(&mut self, buffer: usize, transfer: &Transfer, event: Option<&Event>) {
        self.states[buffer].cells.moved(&transfer.bounds, transfer.to, event);
    }

    /// Records an event that later writes wait for.
    pub(super) fn read(&mut self, event: &Event) {
        for Access { buffer, bounds, .. } in &self.accesses {
            self.states[*buffer].cells.read(bounds, event);
        }
    }

    /// Records the accesses of the command.
    pub(super) fn used(&mut self, event: &Event) {
        for Access { buffer, bounds, access, place } in &self.accesses {
            self.states[*buffer].cells.used(bounds, *access, *place, event);
        }
    }
}

impl Command<'_> {
    /// Submits the command to the queue's own lane.
    ///
    /// # Safety
    /// Addresses in the command are valid until it is complete.
    pub(super) unsafe fn run(&self, launcher: &Launcher, queue: &Queue) -> Result<Ticket, RuntimeError> {
        match self {
            // A host task is submitted late, which calls it.
            Command::Nothing | Command::HostTask(_) => Ok(queue.driver_queue().last()),
            Command::Launch { kernel, block, size, constants } => {
                // SAFETY: the same contract, upheld by the caller.
                unsafe { launcher.launch(queue, *kernel, block, size, constants) }
            }
            Command::Copy { to, from, brick } => {
                // SAFETY: the same contract, upheld by the caller.
                unsafe { brick.submit(queue.driver_queue(), *to, *from) }
            }
            Command::Fill { to, pattern, brick } => {
                // SAFETY: the same contract, upheld by the caller.
                unsafe { fill(queue.driver_queue(), *to, pattern, brick) }
            }
        }
    }
}

/// Submits the rows of a fill.
///
/// # Safety
/// The rows are valid until the command is complete.
unsafe fn fill(
    queue: &dyn DriverQueue,
    to: *mut c_void,
    pattern: &[u8],
    brick: &Brick,
) -> Result<Ticket, RuntimeError> {
    let [count, height, depth] = brick.lengths;
    for (plane, row) in (0..depth).flat_map(|plane| (0..height).map(move |row| (plane, row))) {
        let start = to.wrapping_byte_add(plane * brick.to_pitches[1] + row * brick.to_pitches[0]);
        // SAFETY: upheld by the caller.
        unsafe { queue.fill(start, pattern, count) }?;
    }
    Ok(queue.last())
}

/// The lane of a command that waits for these events.
fn choose(queue: &Queue, overlaps: bool, waits: &[Event]) -> Result<(usize, Arc<dyn DriverQueue>), RuntimeError> {
    let own = || queue.own();
    if !overlaps {
        return Ok((0, Arc::clone(own())));
    }
    let lanes = || std::iter::once((0, own())).chain(queue.lanes().others());
    let continues = |lane: &Arc<dyn DriverQueue>| {
        waits.iter().any(|event| Arc::ptr_eq(&event.queue, lane) && event.ticket == lane.last())
    };
    let is_idle = |lane: &Arc<dyn DriverQueue>| matches!(lane.is_complete(lane.last()), Ok(true));
    if let Some((number, lane)) =
        lanes().find(|(_, lane)| continues(lane)).or_else(|| lanes().find(|(_, lane)| is_idle(lane)))
    {
        return Ok((number, Arc::clone(lane)));
    }
    let make = || Ok(queue.device().device.create_queue()?);
    if let Some((number, lane)) = queue.lanes().add(make)? {
        return Ok((number, Arc::clone(lane)));
    }
    let turn = queue.lanes().next();
    let (number, lane) = lanes().nth(turn).unwrap_or((0, own()));
    Ok((number, Arc::clone(lane)))
}

/// True if the lane would block the caller until the event is complete.
fn blocks(lane: &Arc<dyn DriverQueue>, event: &Event) -> bool {
    (event.is_gate || !lane.can_wait_for(&event.queue)) && !event.is_complete()
}

impl Submission<'_> {
    /// Submits the command.
    ///
    /// # Safety
    /// As for [`crate::Runtime::launch`]; the addresses of the buffers in the command are those of
    /// [`Buffer::pointer`] for the queue's device.
    pub(crate) unsafe fn submit(self, launcher: &Arc<Launcher>) -> Result<Ticket, RuntimeError> {
        if let Command::Launch { kernel, block, size, constants } = &self.command {
            // SAFETY: the same contract, upheld by the caller.
            unsafe { launcher.prepare(self.queue, *kernel, block, size, constants) }?;
        }
        let mut locked = Locked::new(self.requirements, place_of(self.queue.device()))?;
        let mut plan = locked.plan(Some(self.queue))?;
        if !self.overlaps {
            let gates = self.queue.lanes().late();
            gates
                .iter()
                .filter(|gate| !gate.is_open())
                .for_each(|gate| event::add(&mut plan.waits, &Event::of_gate(gate)));
        }
        let (number, lane) = choose(self.queue, self.overlaps, &plan.waits)?;
        let after = plan.transfers.iter().filter_map(|(_, transfer)| transfer.after());
        let is_host_task = matches!(self.command, Command::HostTask(_));
        if is_host_task || plan.waits.iter().chain(after).any(|event| blocks(&lane, event)) {
            // SAFETY: the same contract, upheld by the caller.
            return unsafe { late::submit(launcher, self, locked, plan) };
        }
        for event in plan.waits.iter().filter(|event| !Arc::ptr_eq(&event.queue, &lane)) {
            lane.depend(&event.queue, event.ticket)?;
        }
        for (buffer, transfer) in &plan.transfers {
            let event = transfer.run(Some(&lane))?;
            locked.moved(*buffer, transfer, event.as_ref());
        }
        let on_lane = (number != 0).then(|| self.queue.on_lane(&lane));
        // SAFETY: the same contract, upheld by the caller.
        let ticket = unsafe { self.command.run(launcher, on_lane.as_ref().unwrap_or(self.queue)) }?;
        locked.used(&Event::of(&lane, ticket));
        Ok(Lanes::encode(number, ticket))
    }
}
