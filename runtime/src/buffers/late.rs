//! Commands that have to wait for the program, for example for a host accessor to be destroyed.
//!
//! In: a planned command. Out: the same, kept back by a backlog of its queue. *Invariant:* the
//! graph records the command at once, so that later commands are in order with it. The buffers live
//! until it is complete.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    command::{Command, Kept, Owner},
    event::Event,
    plan::{Locked, Plan},
    record::Buffer,
};
use crate::{
    error::RuntimeError,
    launch::Launcher,
    queue::{Kind, Queue, Turn},
};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::sync::Arc;

/// A planned command, for the thread that submits it.
pub(super) struct Late {
    launcher: Arc<Launcher>,
    queue: Queue,
    command: Kept,
    plan: Plan,
    /// Kept until the ticket is complete: a buffer waits at its end for the commands that use it,
    /// and a queue does not wait for late ones.
    _owners: Owners,
}

/// Buffers of a command, and what else has to outlive it.
type Owners = (Vec<Arc<Buffer>>, Option<Owner>);

impl Late {
    /// Copies the command.
    pub(super) fn new(
        launcher: &Arc<Launcher>,
        queue: &Queue,
        command: Command<'_>,
        owners: Owners,
        plan: Plan,
    ) -> Self {
        let (launcher, queue) = (Arc::clone(launcher), queue.clone());
        Late { launcher, queue, command: Kept::of(command), plan, _owners: owners }
    }

    /// Waits for what precedes the command, and submits its transfers and itself.
    ///
    /// # Safety
    /// As for [`super::Submission::submit`].
    unsafe fn run(&mut self, mut turn: Turn<'_>) -> Result<Ticket, RuntimeError> {
        turn.before = turn.before.and(self.precede(turn.inner));
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.command.run(turn, &self.launcher, &self.queue) }
    }

    /// Waits for what the program has to do, and makes the queue wait for what devices do.
    fn precede(&self, inner: &Arc<dyn DriverQueue>) -> Result<(), RuntimeError> {
        let waits = &self.plan.waits;
        waits.events.iter().try_for_each(|event| event.precede(inner.as_ref()))?;
        let sources = self.plan.transfers.iter().filter_map(|(_, transfer)| transfer.after());
        // Before the first transfer: none of a command that is refused.
        sources.filter(|event| event.is_kept_back()).try_for_each(|event| event.precede(inner.as_ref()))?;
        waits.check()?;
        let submit = |transfer: &super::transfer::Transfer| transfer.run(Some(inner)).map(drop);
        self.plan.transfers.iter().try_for_each(|(_, transfer)| submit(transfer))
    }
}

/// Records a planned command, and leaves its submission to a thread. `is_ordered`: it follows the
/// earlier commands of its queue, and later ones follow it.
///
/// # Safety
/// As for [`super::Submission::submit`].
pub(super) unsafe fn submit(mut late: Late, mut locked: Locked<'_>, is_ordered: bool) -> Result<Ticket, RuntimeError> {
    let queue = late.queue.clone();
    let moved: Vec<_> = late.plan.transfers.iter().map(|(buffer, transfer)| (*buffer, transfer.record())).collect();
    // SAFETY: the same contract, upheld by the caller until the ticket is complete.
    let held = Box::new(move |turn: Turn<'_>| unsafe { late.run(turn) });
    let (lane, own, ticket) = queue.hold(Kind::Owner, held, is_ordered)?;
    let event = Event::of(&lane, own);
    for (buffer, (bounds, to)) in moved {
        locked.moved(buffer, &bounds, to, Some(&event));
    }
    locked.used(&event);
    Ok(ticket)
}
