//! Keeps the times of a queue's recent commands.
//!
//! In: events before and after each command. Out: a [`Profile`] for each of the last
//! [`PROFILED_TICKETS`]. *Invariant:* tickets are added in order without gaps, and times never go
//! backwards from one command to the next.
//!
//! A library reports the time between two events as a `float` of milliseconds. Times are therefore
//! relative to an anchor, an event that was passed at a known time of the host's clock; the anchor
//! moves on before the float loses microseconds.

use crate::{
    context::{Context, Current},
    event::{Event, Timing},
    vendor::{Handle, Vendor},
};
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile};
use std::{collections::VecDeque, sync::Arc};

/// Commands whose events are kept. Another command turns the oldest into a record, after a wait if
/// it is not complete.
const PENDING: usize = 1024;
/// Largest distance of an event from the anchor, in nanoseconds: within it, a `float` of
/// milliseconds is exact to 0.1 microseconds.
const REACH: f64 = 1e9;

/// A command that may not be complete.
struct Pending<V: Vendor> {
    submit: u64,
    start: Event<V>,
    end: Arc<Event<V>>,
}

/// Times of the recent commands.
pub(crate) struct Times<V: Vendor> {
    anchor: Arc<Event<V>>,
    anchor_time: f64,
    records: VecDeque<Profile>,
    pending: VecDeque<Pending<V>>,
    /// Number of tickets in `records` or older.
    resolved: u64,
}

/// A command that is being submitted.
pub(crate) struct Begun<V: Vendor> {
    submit: u64,
    start: Event<V>,
}

/// Time of `CLOCK_MONOTONIC` in nanoseconds.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable, and Linux always has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

impl<V: Vendor> Times<V> {
    /// Starts recording for a stream without commands. The context is current.
    pub(crate) fn start(context: &Arc<Context<V>>, stream: Handle<V::Stream>) -> Result<Self, DriverError> {
        // Waited for here because the first event costs more than any other.
        Event::record(context, stream, Timing::With)?.wait()?;
        let before = now();
        let anchor = Arc::new(Event::record(context, stream, Timing::With)?);
        anchor.wait()?;
        let anchor_time = before.midpoint(now()) as f64;
        let (records, pending) = (VecDeque::new(), VecDeque::new());
        Ok(Times { anchor, anchor_time, records, pending, resolved: 0 })
    }

    /// Records the time before a command. The context is current.
    pub(crate) fn begin(
        &mut self,
        context: &Arc<Context<V>>,
        stream: Handle<V::Stream>,
    ) -> Result<Begun<V>, DriverError> {
        while self.pending.len() >= PENDING {
            self.resolve()?;
        }
        let submit = now();
        Ok(Begun { submit, start: Event::record(context, stream, Timing::With)? })
    }

    /// Records the time after a command, which gets the next ticket. The context is current.
    pub(crate) fn end(
        &mut self,
        begun: Begun<V>,
        context: &Arc<Context<V>>,
        stream: Handle<V::Stream>,
    ) -> Result<(), DriverError> {
        let Begun { submit, start } = begun;
        let end = Arc::new(Event::record(context, stream, Timing::With)?);
        self.pending.push_back(Pending { submit, start, end });
        Ok(())
    }

    /// The event to wait for before a ticket has times; `None` if it already has them or they are
    /// gone.
    pub(crate) fn end_of(&self, ticket: u64) -> Option<Arc<Event<V>>> {
        let place = usize::try_from(ticket.checked_sub(self.resolved + 1)?).ok()?;
        self.pending.get(place).map(|pending| Arc::clone(&pending.end))
    }

    /// The times of a complete ticket, if they are kept.
    pub(crate) fn get(&mut self, ticket: u64, _current: &Current<V>) -> Result<Option<Profile>, DriverError> {
        while self.resolved < ticket && !self.pending.is_empty() {
            self.resolve()?;
        }
        // Tickets whose events are kept still displace older records.
        let newest = self.resolved + self.pending.len() as u64;
        if ticket == 0 || ticket + PROFILED_TICKETS <= newest {
            return Ok(None);
        }
        let back = usize::try_from(self.resolved - ticket).ok();
        Ok(back.and_then(|back| self.records.iter().rev().nth(back).copied()))
    }

    /// Turns the oldest events into a record.
    fn resolve(&mut self) -> Result<(), DriverError> {
        let Some(Pending { submit, start, end }) = self.pending.pop_front() else { return Ok(()) };
        self.resolved += 1;
        end.wait()?;
        // The duration is exact however long the queue was idle before.
        let (started, duration) = (self.anchor.until(&start)?, start.until(&end)?.max(0.0));
        // A command cannot start before it is submitted. If it seems to, the anchor was passed
        // later than recorded.
        self.anchor_time = self.anchor_time.max(submit as f64 - started);
        let last = self.records.back().map_or(0, |record| record.end);
        let start = ((self.anchor_time + started) as u64).max(submit).max(last);
        let record = Profile { submit, start, end: start + duration.round() as u64 };
        if self.records.len() as u64 == PROFILED_TICKETS {
            self.records.pop_front();
        }
        self.records.push_back(record);
        if started + duration > REACH {
            (self.anchor, self.anchor_time) = (end, self.anchor_time + started + duration);
        }
        Ok(())
    }
}
