//! The lanes of a queue whose commands may run beside one another.
//!
//! A queue of the runtime is an in-order queue of a driver. Commands with requirements on buffers
//! of an out-of-order queue run on one of several such queues, its lanes, and those that have to
//! wait for the program on lanes of their own, as threads that shared one could wait for each
//! other's accessors. The first byte of a ticket is the number of the lane. *Invariant:* lane 0 is
//! the queue itself, so a queue that never overlaps commands has plain tickets. A lane that exists
//! stays.
#![forbid(unsafe_code)]

use crate::{
    error::RuntimeError,
    queue::{backlog::Backlog, errors::Errors, place::SharedPlace},
};
use sinter_driver::{PROFILED_TICKETS, Queue, Ticket};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

/// Number of lanes, with the queue itself. More than a few streams of a GPU do not overlap either.
pub(crate) const COUNT: usize = 4;

/// Lane number in the tickets of commands that wait for the program.
const LATE: u64 = 0xff;
const SHIFT: u32 = 56;

/// A lane with its number.
pub(crate) type Numbered<'a> = (usize, &'a Arc<dyn Queue>);

/// The lanes of one queue, and its commands that are submitted late.
#[derive(Default)]
pub(crate) struct Lanes {
    others: [OnceLock<Arc<dyn Queue>>; COUNT - 1],
    /// Lane that was chosen last where all were busy.
    turn: AtomicUsize,
    pub(crate) is_profiled: AtomicBool,
    late: Mutex<Late>,
    late_count: AtomicU64,
    /// Ticket of the last barrier, of the queue itself.
    barrier: AtomicU64,
    /// Errors of the commands of all lanes.
    pub(crate) errors: Arc<Errors>,
    /// The number by which launches find their kernels.
    pub(crate) place: SharedPlace,
}

/// A lane of one late command at a time.
#[derive(Clone)]
pub(crate) struct LateLane {
    pub(crate) backlog: Arc<Backlog>,
    /// The same as a driver's queue.
    pub(crate) queue: Arc<dyn Queue>,
}

/// A command that waits for the program, or did.
struct LateCommand {
    number: u64,
    lane: LateLane,
    ticket: Ticket,
}

#[derive(Default)]
struct Late {
    lanes: Vec<LateLane>,
    /// In ascending order of numbers.
    commands: VecDeque<LateCommand>,
}

impl Late {
    /// Forgets commands that are complete, unless their times may be asked for.
    fn forget(&mut self, is_profiled: bool) {
        let is_done = |one: &LateCommand| matches!(one.lane.queue.is_complete(one.ticket), Ok(true));
        if !is_profiled {
            self.commands.retain(|one| !is_done(one));
        } else if self.commands.len() as u64 >= PROFILED_TICKETS {
            self.commands.pop_front();
        }
    }

    /// Keeps as many idle lanes as there are others.
    fn idle(&mut self) -> Option<LateLane> {
        let mut kept = 0;
        self.lanes.retain(|lane| {
            kept += usize::from(lane.backlog.is_idle());
            kept <= COUNT || !lane.backlog.is_idle()
        });
        self.lanes.iter().find(|lane| lane.backlog.is_idle()).cloned()
    }
}

/// Meaning of a ticket.
pub(crate) enum Decoded<'a> {
    /// Of the queue itself.
    Own(Ticket),
    /// Of another lane.
    Lane(&'a Arc<dyn Queue>, Ticket),
    /// Of a command that was submitted late, on a lane of its own.
    Late(LateLane, Ticket),
    /// Of a late command that is complete.
    Done,
    /// Of nothing.
    Unknown,
}

impl Lanes {
    /// Those of a queue of this device.
    pub(crate) fn of_device(device: u32) -> Self {
        Lanes { place: SharedPlace::of_device(device), ..Lanes::default() }
    }

    /// Ticket of a lane's command.
    pub(crate) fn encode(lane: usize, Ticket(ticket): Ticket) -> Ticket {
        Ticket((lane as u64) << SHIFT | ticket)
    }

    /// Lane and ticket there.
    #[inline]
    pub(crate) fn decode(&self, Ticket(ticket): Ticket) -> Decoded<'_> {
        let (lane, number) = (ticket >> SHIFT, ticket & ((1 << SHIFT) - 1));
        match lane {
            0 => Decoded::Own(Ticket(number)),
            LATE => self.find_late(number),
            _ => match self.others.get(lane as usize - 1).and_then(OnceLock::get) {
                Some(queue) => Decoded::Lane(queue, Ticket(number)),
                None => Decoded::Unknown,
            },
        }
    }

    fn find_late(&self, number: u64) -> Decoded<'_> {
        if number == 0 || number > self.late_count.load(Ordering::Acquire) {
            return Decoded::Unknown;
        }
        let late = self.lock_late();
        let found = late.commands.binary_search_by_key(&number, |one| one.number);
        found.map_or(Decoded::Done, |place| {
            let LateCommand { lane, ticket, .. } = &late.commands[place];
            Decoded::Late(lane.clone(), *ticket)
        })
    }

    fn lock_late(&self) -> MutexGuard<'_, Late> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lanes that exist, without the queue itself, with their numbers.
    pub(crate) fn others(&self) -> impl Iterator<Item = Numbered<'_>> {
        self.others.iter().enumerate().filter_map(|(index, lane)| Some((index + 1, lane.get()?)))
    }

    /// A lane that does not exist yet; `None` if all do.
    pub(crate) fn add(
        &self,
        make: impl Fn() -> Result<Arc<dyn Queue>, RuntimeError>,
    ) -> Result<Option<Numbered<'_>>, RuntimeError> {
        let Some(index) = self.others.iter().position(|lane| lane.get().is_none()) else { return Ok(None) };
        let made = make()?;
        if self.is_profiled.load(Ordering::Relaxed) {
            made.enable_profiling()?;
        }
        self.errors.own(&made);
        // Another thread may have been faster; then its lane is taken.
        Ok(Some((index + 1, self.others[index].get_or_init(|| made))))
    }

    /// Number of the lane whose turn it is.
    pub(crate) fn next(&self) -> usize {
        self.turn.fetch_add(1, Ordering::Relaxed) % COUNT
    }

    /// Submits a command on a lane of its own, an idle one or a new one. Returns the lane, the
    /// ticket there, and the ticket of the queue.
    pub(crate) fn add_late(
        &self,
        make: impl FnOnce() -> Result<LateLane, RuntimeError>,
        submit: impl FnOnce(&Arc<Backlog>) -> Result<Ticket, RuntimeError>,
    ) -> Result<(Arc<dyn Queue>, Ticket, Ticket), RuntimeError> {
        let mut late = self.lock_late();
        late.forget(self.is_profiled.load(Ordering::Relaxed));
        let lane = match late.idle() {
            Some(lane) => lane,
            None => make().inspect(|lane| late.lanes.push(lane.clone()))?,
        };
        let ticket = submit(&lane.backlog)?;
        let (number, queue) = (self.late_count.fetch_add(1, Ordering::AcqRel) + 1, Arc::clone(&lane.queue));
        late.commands.push_back(LateCommand { number, lane, ticket });
        Ok((queue, ticket, Ticket(LATE << SHIFT | number)))
    }

    /// Lets later commands of all lanes wait for a command of the queue itself.
    pub(crate) fn set_barrier(&self, Ticket(ticket): Ticket) {
        self.barrier.fetch_max(ticket, Ordering::AcqRel);
    }

    /// Forgets a barrier that is complete, unless there is a later one.
    pub(crate) fn forget_barrier(&self, Ticket(ticket): Ticket) {
        let _ = self.barrier.compare_exchange(ticket, 0, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// The last barrier that is not known to be complete.
    pub(crate) fn barrier(&self) -> Option<Ticket> {
        Some(self.barrier.load(Ordering::Acquire)).filter(|ticket| *ticket != 0).map(Ticket)
    }

    /// The lanes of late commands that are not complete, with the last tickets.
    pub(crate) fn late(&self) -> Vec<(LateLane, Ticket)> {
        let late = self.lock_late();
        let busy = late.lanes.iter().filter(|lane| !lane.backlog.is_idle());
        busy.map(|lane| (lane.clone(), lane.backlog.last())).collect()
    }
}
