//! Commands that have to wait for the program, for example for a host accessor to be destroyed.
//!
//! In: a planned command. Out: a ticket, and a thread that waits for what the command depends on,
//! submits it to a queue of its own, and completes the ticket. *Invariant:* the graph records the
//! command at once, so that later commands are in order with it. The buffers live until it is
//! complete. This is rare, so a thread for each is cheap enough, and none waits for another one
//! that it does not depend on.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    command::{Command, Kept, Owner},
    event::{self, Event},
    gate::Gate,
    plan::{Locked, Plan},
    record::Buffer,
};
use crate::{error::RuntimeError, launch::Launcher, queue::Queue};
use sinter_driver::Ticket;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    thread,
};

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

    /// Waits, submits, and waits for the command.
    ///
    /// # Safety
    /// As for [`super::Submission::submit`].
    unsafe fn run(&mut self) -> Result<(), RuntimeError> {
        let own = Queue::new(self.queue.device_handle()).inspect_err(|_| self.command.call_host_task())?;
        let before = self.precede(&own);
        // SAFETY: the same contract, upheld by the caller.
        let ticket = unsafe { self.command.run(before, &self.launcher, &own) }?;
        own.wait(ticket.max(own.own().last()))
    }

    /// Waits for what precedes the command, and submits its transfers.
    fn precede(&self, own: &Queue) -> Result<(), RuntimeError> {
        for event in &self.plan.waits {
            event.queue.wait(event.ticket)?;
        }
        for (_, transfer) in &self.plan.transfers {
            if let Some(event) = transfer.after() {
                event.queue.wait(event.ticket)?;
            }
            transfer.run(Some(own.own()))?;
        }
        Ok(())
    }
}

/// Records a planned command, and leaves its submission to a thread. `is_ordered`: it follows the
/// earlier commands of its queue, and later ones follow it.
///
/// # Safety
/// As for [`super::Submission::submit`].
pub(super) unsafe fn submit(mut late: Late, mut locked: Locked<'_>, is_ordered: bool) -> Result<Ticket, RuntimeError> {
    let own = late.queue.own();
    if is_ordered {
        event::add(&mut late.plan.waits, &Event::of(own, own.last()));
    }
    let gate = Arc::<Gate>::default();
    let event = Event::of_gate(&gate);
    for (buffer, transfer) in &late.plan.transfers {
        locked.moved(*buffer, transfer, Some(&event));
    }
    locked.used(&event);
    let ticket = late.queue.lanes().add_late(&gate, is_ordered);
    drop(locked);
    let (failed, queue) = (Arc::clone(&gate), late.queue.clone());
    let run = move || {
        gate.run_here();
        // SAFETY: the same contract, upheld by the caller until the ticket is complete.
        let work = AssertUnwindSafe(|| unsafe { late.run() });
        gate.open(catch_unwind(work).unwrap_or_else(|_| Err(lost("a thread panicked while it ran a command"))));
        late.queue.lanes().ordered.fetch_sub(usize::from(is_ordered), Ordering::AcqRel);
    };
    let spawned = thread::Builder::new().name("sinter-late".to_owned()).spawn(run);
    if let Err(error) = spawned {
        failed.open(Err(lost(&format!("no thread for a command: {error}"))));
        queue.lanes().ordered.fetch_sub(usize::from(is_ordered), Ordering::AcqRel);
    }
    Ok(ticket)
}

fn lost(message: &str) -> RuntimeError {
    RuntimeError::Internal { message: message.to_owned() }
}
