//! Submits a command with requirements.
//!
//! In: a queue, requirements and a command. Out: a ticket of the queue. The command of an
//! out-of-order queue runs on the lane whose last command it depends on, or else on an idle one, so
//! that a chain of commands needs no events between lanes. *Invariant:* a command whose dependency
//! its queue cannot wait for without blocking the caller is submitted late, by a thread.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    command::{Command, Owner},
    event::{self, Event},
    late::{self, Late},
    plan::{Locked, Requirement},
    record::place_of,
};
use crate::{error::RuntimeError, lanes::Lanes, launch::Launcher, queue::Queue};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::sync::Arc;

/// A command with its requirements.
pub(crate) struct Submission<'a> {
    pub(crate) queue: &'a Queue,
    pub(crate) requirements: &'a [Requirement<'a>],
    pub(crate) command: Command<'a>,
    /// True if the command may run beside others of the queue.
    pub(crate) overlaps: bool,
    /// Dropped when the command is complete, or when the queue's end would wait for it.
    pub(crate) owner: Option<Owner>,
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
    let is_before = Arc::ptr_eq(&event.queue, lane);
    !is_before && (event.is_of_program || !lane.can_wait_for(&event.queue)) && !event.is_complete()
}

/// True if the transfer would block the caller. It may run on another queue than the lane, which
/// does not know commands that are kept back here.
fn transfer_blocks(lane: &Arc<dyn DriverQueue>, event: &Event) -> bool {
    (event.is_of_program || blocks(lane, event)) && !event.is_complete()
}

/// Adds the last barrier of the queue, unless it is complete.
fn follow_barrier(queue: &Queue, waits: &mut Vec<Event>) {
    let Some(ticket) = queue.lanes().barrier() else { return };
    let barrier = Event::of(queue.own(), ticket);
    if barrier.is_complete() {
        queue.lanes().forget_barrier(ticket);
    } else {
        event::add(waits, &barrier);
    }
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
        if self.overlaps {
            follow_barrier(self.queue, &mut plan.waits);
        } else {
            let gates = self.queue.late_gates();
            gates
                .iter()
                .filter(|gate| !gate.is_open())
                .for_each(|gate| event::add(&mut plan.waits, &Event::of_gate(gate)));
        }
        let (number, lane) = choose(self.queue, self.overlaps, &plan.waits)?;
        let mut sources = plan.transfers.iter().filter_map(|(_, transfer)| transfer.after());
        let is_late = matches!(self.command, Command::HostTask(_))
            || plan.waits.iter().any(|event| blocks(&lane, event))
            || sources.any(|event| transfer_blocks(&lane, event));
        if is_late {
            let buffers = self.requirements.iter().map(|one| Arc::clone(one.buffer)).collect();
            let late = Late::new(launcher, self.queue, self.command, (buffers, self.owner), plan);
            // SAFETY: the same contract, upheld by the caller.
            return unsafe { late::submit(late, locked, !self.overlaps) };
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
