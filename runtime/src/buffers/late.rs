//! Commands that have to wait for the program, for example for a host accessor to be destroyed.
//!
//! In: a planned command. Out: a ticket, and a thread that waits for what the command depends on,
//! submits it to a queue of its own, and completes the ticket. *Invariant:* the graph records the
//! command at once, so that later commands are in order with it. The buffers live until it is
//! complete. This is rare, so a thread for each is cheap enough, and none waits for another one
//! that it does not depend on.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::{
    event::{self, Event},
    gate::Gate,
    record::Buffer,
    submit::{Command, Locked, Plan, Submission},
    transfer::Brick,
};
use crate::{
    abi::Kernel,
    error::RuntimeError,
    launch::{Launcher, shape::LaunchSize, values::Constant},
    queue::{HostTask, Queue},
};
use sinter_driver::Ticket;
use std::{
    ffi::c_void,
    sync::{Arc, atomic::Ordering},
    thread,
};

/// A command with copies of all that its caller may release.
enum Kept {
    Nothing,
    Launch { kernel: *const Kernel, block: Vec<u8>, size: LaunchSize, constants: Vec<(String, Vec<u8>)> },
    Copy { to: *mut c_void, from: *const c_void, brick: Brick },
    Fill { to: *mut c_void, pattern: Vec<u8>, brick: Brick },
    HostTask(HostTask),
}

// SAFETY: the pointers are to a descriptor and to memory that the caller keeps until the command is
// complete.
unsafe impl Send for Kept {}

impl Kept {
    fn of(command: Command<'_>) -> Self {
        match command {
            Command::Nothing => Kept::Nothing,
            Command::Launch { kernel, block, size, constants } => {
                let constants = constants.iter().map(|one| (one.name.to_owned(), one.value.to_vec())).collect();
                Kept::Launch { kernel, block: block.to_vec(), size, constants }
            }
            Command::Copy { to, from, brick } => Kept::Copy { to, from, brick },
            Command::Fill { to, pattern, brick } => Kept::Fill { to, pattern: pattern.to_vec(), brick },
            Command::HostTask(task) => Kept::HostTask(task),
        }
    }

    /// Submits the command. A host task is called when everything before it is complete, also if
    /// that failed, because it may have to release something.
    ///
    /// # Safety
    /// As for [`Command::run`].
    unsafe fn run(&mut self, launcher: &Launcher, queue: &Queue) -> Result<Ticket, RuntimeError> {
        let values: Vec<_>;
        let command = match self {
            Kept::HostTask(task) => {
                let last = queue.own().last();
                let earlier = queue.wait(last);
                task();
                return earlier.map(|()| last);
            }
            Kept::Nothing => Command::Nothing,
            Kept::Launch { kernel, block, size, constants } => {
                values = constants.iter().map(|(name, value)| Constant { name, value }).collect();
                Command::Launch { kernel: *kernel, block, size: *size, constants: &values }
            }
            Kept::Copy { to, from, brick } => Command::Copy { to: *to, from: *from, brick: *brick },
            Kept::Fill { to, pattern, brick } => Command::Fill { to: *to, pattern, brick: *brick },
        };
        // SAFETY: the same contract, upheld by the caller.
        unsafe { command.run(launcher, queue) }
    }
}

/// What the thread does.
struct Late {
    launcher: Arc<Launcher>,
    queue: Queue,
    command: Kept,
    plan: Plan,
    /// Keeps the buffers.
    _buffers: Vec<Arc<Buffer>>,
}

impl Late {
    /// Waits, submits, and waits for the command.
    ///
    /// # Safety
    /// As for [`Submission::submit`].
    unsafe fn run(&mut self) -> Result<(), RuntimeError> {
        for event in &self.plan.waits {
            event.queue.wait(event.ticket)?;
        }
        let own = Queue::new(self.queue.device_handle())?;
        let lane = own.own();
        for (_, transfer) in &self.plan.transfers {
            if let Some(event) = transfer.after() {
                event.queue.wait(event.ticket)?;
            }
            transfer.run(Some(lane))?;
        }
        // SAFETY: the same contract, upheld by the caller.
        let ticket = unsafe { self.command.run(&self.launcher, &own) }?;
        own.wait(ticket.max(lane.last()))
    }
}

/// Records a planned command, and leaves its submission to a thread.
///
/// # Safety
/// As for [`Submission::submit`].
pub(super) unsafe fn submit(
    launcher: &Arc<Launcher>,
    submission: Submission<'_>,
    mut locked: Locked<'_>,
    mut plan: Plan,
) -> Result<Ticket, RuntimeError> {
    let own = submission.queue.own();
    if !submission.overlaps {
        event::add(&mut plan.waits, &Event::of(own, own.last()));
    }
    let gate = Arc::<Gate>::default();
    let event = Event::of_gate(&gate);
    for (buffer, transfer) in &plan.transfers {
        locked.moved(*buffer, transfer, Some(&event));
    }
    locked.used(&event);
    let is_ordered = !submission.overlaps;
    let ticket = submission.queue.lanes().add_late(&gate, is_ordered);
    let mut late = Late {
        launcher: Arc::clone(launcher),
        queue: submission.queue.clone(),
        command: Kept::of(submission.command),
        plan,
        _buffers: submission.requirements.iter().map(|one| Arc::clone(one.buffer)).collect(),
    };
    drop(locked);
    let failed = Arc::clone(&gate);
    let run = move || {
        let queue = late.queue.clone();
        // SAFETY: the same contract, upheld by the caller until the ticket is complete.
        let result = unsafe { late.run() };
        gate.open(result);
        // After the ticket is complete: the destructor of a host task may wait for the queue.
        drop(late);
        queue.lanes().ordered.fetch_sub(usize::from(is_ordered), Ordering::AcqRel);
    };
    let spawned = thread::Builder::new().name("sinter-late".to_owned()).spawn(run);
    if let Err(error) = spawned {
        failed.open(Err(RuntimeError::Internal { message: format!("no thread for a command: {error}") }));
    }
    Ok(ticket)
}
