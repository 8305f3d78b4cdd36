//! A command that may have requirements, and copies of it that outlive its caller.
//!
//! *Invariant:* a kept command has copies of all that the caller may release when the submission
//! returns; memory that the command itself uses stays the caller's.
#![expect(unsafe_code, reason = "submits commands with the addresses that callers promise")]

use super::transfer::Brick;
use crate::{
    abi::Kernel,
    error::RuntimeError,
    launch::{Launcher, shape::LaunchSize, values::Constant},
    queue::{HostTask, Queue, Turn},
};
use sinter_driver::{Queue as DriverQueue, Ticket};
use std::ffi::c_void;

/// Something that has to outlive a command.
pub(crate) type Owner = Box<dyn Send>;

/// A command without its requirements.
pub(crate) enum Command<'a> {
    /// Nothing but to wait for its requirements.
    Nothing,
    Launch {
        kernel: *const Kernel,
        block: &'a [u8],
        size: &'a LaunchSize,
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

impl Command<'_> {
    /// Submits the command to the queue's own lane.
    ///
    /// # Safety
    /// Addresses in the command are valid until it is complete.
    pub(super) unsafe fn run(&self, launcher: &Launcher, queue: &Queue) -> Result<Ticket, RuntimeError> {
        match self {
            // A host task is always submitted late, and called there.
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

/// A command with copies of all that its caller may release.
pub(super) enum Kept {
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
    pub(super) fn of(command: Command<'_>) -> Self {
        match command {
            Command::Nothing => Kept::Nothing,
            Command::Launch { kernel, block, size, constants } => {
                let constants = constants.iter().map(|one| (one.name.to_owned(), one.value.to_vec())).collect();
                Kept::Launch { kernel, block: block.to_vec(), size: *size, constants }
            }
            Command::Copy { to, from, brick } => Kept::Copy { to, from, brick },
            Command::Fill { to, pattern, brick } => Kept::Fill { to, pattern: pattern.to_vec(), brick },
            Command::HostTask(task) => Kept::HostTask(task),
        }
    }

    /// Submits the command, unless something before it failed. A host task is called all the same.
    ///
    /// # Safety
    /// As for [`Command::run`].
    pub(super) unsafe fn run(
        &mut self,
        turn: Turn<'_>,
        launcher: &Launcher,
        queue: &Queue,
    ) -> Result<Ticket, RuntimeError> {
        if let Kept::HostTask(task) = self {
            return turn.call(task);
        }
        let queue = queue.on_lane(turn.inner);
        turn.before?;
        let values: Vec<_>;
        let command = match self {
            Kept::Nothing | Kept::HostTask(_) => Command::Nothing,
            Kept::Launch { kernel, block, size, constants } => {
                values = constants.iter().map(|(name, value)| Constant { name, value }).collect();
                Command::Launch { kernel: *kernel, block, size, constants: &values }
            }
            Kept::Copy { to, from, brick } => Command::Copy { to: *to, from: *from, brick: *brick },
            Kept::Fill { to, pattern, brick } => Command::Fill { to: *to, pattern, brick: *brick },
        };
        // SAFETY: the same contract, upheld by the caller.
        unsafe { command.run(launcher, &queue) }
    }
}
