//! Submits a command with requirements.
//!
//! In: a queue, requirements and a command. Out: a ticket of the queue. The command of an
//! out-of-order queue runs on the lane whose last command it depends on, or else on an idle one, so
//! that a chain of commands needs no events between lanes. *Invariant:* a command whose dependency
//! its queue cannot wait for without blocking the caller is submitted late, by a thread.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    command::{Command, Owner},
    event::{Event, Waits},
    late::{self, Late},
    plan::{Locked, Plan, Requirement},
    record::place_of,
};
use crate::{
    error::RuntimeError,
    lanes::{Lanes, Numbered},
    launch::Launcher,
    queue::Queue,
};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::{mem, sync::Arc};

/// A command with its requirements.
pub(crate) struct Submission<'a> {
    pub(crate) queue: &'a Queue,
    pub(crate) requirements: &'a [Requirement<'a>],
    pub(crate) command: Command<'a>,
    /// True if the command may run beside others of the queue.
    pub(crate) overlaps: bool,
    /// Makes something that has to outlive the command, if the queue's end does not wait for it.
    pub(crate) owner: Option<&'a dyn Fn() -> Owner>,
}

/// The lane of a command that waits for these events.
fn choose<'a>(queue: &'a Queue, overlaps: bool, waits: &[Event]) -> Result<Numbered<'a>, RuntimeError> {
    let own = || queue.own();
    if !overlaps {
        return Ok((0, own()));
    }
    let lanes = || std::iter::once((0, own())).chain(queue.lanes().others());
    let continues = |lane: &Arc<dyn DriverQueue>| {
        waits.iter().any(|event| Arc::ptr_eq(&event.queue, lane) && event.ticket == lane.last())
    };
    let is_idle = |lane: &Arc<dyn DriverQueue>| matches!(lane.is_complete(lane.last()), Ok(true));
    if let Some(lane) = lanes().find(|(_, lane)| continues(lane)).or_else(|| lanes().find(|(_, lane)| is_idle(lane))) {
        return Ok(lane);
    }
    let make = || Ok(queue.device().device.create_queue()?);
    if let Some(lane) = queue.lanes().add(make)? {
        return Ok(lane);
    }
    let turn = queue.lanes().next();
    Ok(lanes().nth(turn).unwrap_or((0, own())))
}

/// True if the lane would block the caller until the event is complete.
fn blocks(lane: &Arc<dyn DriverQueue>, event: &Event) -> bool {
    let is_before = Arc::ptr_eq(&event.queue, lane);
    !is_before && (event.is_kept_back() || (!lane.can_wait_for(event.device_queue()) && !event.is_complete()))
}

/// True if the transfer would block the caller. It may run on another queue than the lane, which
/// does not know commands that are kept back here.
fn transfer_blocks(lane: &Arc<dyn DriverQueue>, event: &Event) -> bool {
    event.is_kept_back() || blocks(lane, event)
}

/// True if the command has to be submitted late. A command whose results it needs may fail yet.
fn is_late(lane: &Arc<dyn DriverQueue>, plan: &Plan) -> bool {
    let mut sources = plan.transfers.iter().filter_map(|(_, transfer)| transfer.after());
    plan.waits.needs.iter().any(Event::is_kept_back)
        || plan.waits.events.iter().any(|event| blocks(lane, event))
        || sources.any(|event| transfer_blocks(lane, event))
}

/// Adds the last barrier of the queue, unless it is complete.
fn follow_barrier(queue: &Queue, waits: &mut Waits) {
    let Some(ticket) = queue.lanes().barrier() else { return };
    let barrier = Event::of(queue.own(), ticket);
    if barrier.is_complete() {
        queue.lanes().forget_barrier(ticket);
    } else {
        waits.follow(&barrier);
    }
}

impl Submission<'_> {
    /// Submits the command, which is not moved because it is large.
    ///
    /// # Safety
    /// Called once. As for [`crate::Runtime::launch`]; the addresses of the buffers in the command
    /// are those of [`Buffer::pointer`] for the queue's device.
    pub(crate) unsafe fn submit(&mut self, launcher: &Arc<Launcher>) -> Result<Ticket, RuntimeError> {
        if let Command::Launch { kernel, block, size, constants } = &self.command {
            // SAFETY: the same contract, upheld by the caller.
            unsafe { launcher.prepare(self.queue, *kernel, block, size, constants) }?;
        }
        let (mut locked, mut plan) = (Locked::default(), Plan::default());
        locked.lock(self.requirements, place_of(self.queue.device()))?;
        locked.plan(Some(self.queue), &mut plan)?;
        if self.overlaps {
            follow_barrier(self.queue, &mut plan.waits);
        }
        let (number, lane) = choose(self.queue, self.overlaps, &plan.waits.events)?;
        if matches!(self.command, Command::HostTask(_)) || is_late(lane, &plan) {
            let buffers = self.requirements.iter().map(|one| Arc::clone(one.buffer)).collect();
            let command = mem::replace(&mut self.command, Command::Nothing);
            let owners = (buffers, self.owner.map(|owner| owner()));
            let late = Late::new(launcher, self.queue, command, owners, plan);
            // SAFETY: the same contract, upheld by the caller.
            return unsafe { late::submit(late, locked, !self.overlaps) };
        }
        plan.waits.check()?;
        for event in plan.waits.events.iter().filter(|event| !Arc::ptr_eq(&event.queue, lane)) {
            event.precede(&**lane)?;
        }
        for (buffer, transfer) in &plan.transfers {
            let event = transfer.run(Some(lane))?;
            let (bounds, to) = transfer.record();
            locked.moved(*buffer, &bounds, to, event.as_ref());
        }
        let on_lane = (number != 0).then(|| self.queue.on_lane(lane));
        // SAFETY: the same contract, upheld by the caller.
        let ticket = unsafe { self.command.run(launcher, on_lane.as_ref().unwrap_or(self.queue)) }?;
        locked.used(&Event::of(lane, ticket));
        Ok(Lanes::encode(number, ticket))
    }
}
