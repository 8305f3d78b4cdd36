//! The lanes of a queue whose commands may run beside one another.
//!
//! A queue of the runtime is an in-order queue of a driver. Commands with requirements on buffers
//! of an out-of-order queue run on one of several such queues, its lanes, and those that have to
//! wait for the program on threads of their own. The first byte of a ticket is the number of the
//! lane. *Invariant:* lane 0 is the queue itself, so a queue that never overlaps commands has plain
//! tickets. A lane that exists stays.
#![forbid(unsafe_code)]

use crate::{buffers::gate::Gate, error::RuntimeError};
use sinter_driver::{Queue, Ticket};
use std::sync::{
    Arc, Mutex, OnceLock, PoisonError,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
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
    late: Mutex<Vec<(u64, Arc<Gate>)>>,
    late_count: AtomicU64,
    /// Ticket of the last barrier, of the queue itself.
    barrier: AtomicU64,
    /// Number of late commands that later commands of the queue have to wait for.
    pub(crate) ordered: AtomicUsize,
}

/// Meaning of a ticket.
pub(crate) enum Decoded<'a> {
    /// Of the queue itself.
    Own(Ticket),
    /// Of another lane.
    Lane(&'a Arc<dyn Queue>, Ticket),
    /// Of a command that was submitted late and is not complete.
    Late(Arc<Gate>),
    /// Of a late command that is complete.
    Done,
    /// Of nothing.
    Unknown,
}

impl Lanes {
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
        let late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        let found = late.iter().find(|(known, _)| *known == number);
        found.map_or(Decoded::Done, |(_, gate)| Decoded::Late(Arc::clone(gate)))
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
        // Another thread may have been faster; then its lane is taken.
        Ok(Some((index + 1, self.others[index].get_or_init(|| made))))
    }

    /// Number of the lane whose turn it is.
    pub(crate) fn next(&self) -> usize {
        self.turn.fetch_add(1, Ordering::Relaxed) % COUNT
    }

    /// Registers a command that is submitted late. `is_ordered`: later commands wait for it.
    pub(crate) fn add_late(&self, gate: &Arc<Gate>, is_ordered: bool) -> Ticket {
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        late.retain(|(_, gate)| !gate.is_open() || gate.has_failed());
        let number = self.late_count.fetch_add(1, Ordering::AcqRel) + 1;
        late.push((number, Arc::clone(gate)));
        self.ordered.fetch_add(usize::from(is_ordered), Ordering::AcqRel);
        Ticket(LATE << SHIFT | number)
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

    /// The late commands that are not complete.
    pub(crate) fn late(&self) -> Vec<Arc<Gate>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(_, gate)| Arc::clone(gate)).collect()
    }
}
