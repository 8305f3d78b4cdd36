//! Events: a ticket of a queue, and the time at which it was complete.
//!
//! *Invariant:* the time of an event is not before the call that recorded it.

use super::{
    error::{Code, Outcome, Refusal},
    streams::Stream,
};
use crate::{queue::Queue, system};
use sinter_driver::Ticket;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Flag of events without times.
const DISABLE_TIMING: u32 = 2;
/// Commands without times, such as dependencies, that may precede an event.
const WITHOUT_TIMES: u64 = 16;
const NANOSECONDS: f64 = 1e6;

/// An event of a program.
pub(crate) struct Event {
    is_timed: bool,
    record: Mutex<Option<Record>>,
}

#[derive(Clone)]
struct Record {
    queue: Queue,
    ticket: Ticket,
    /// Time of the call, in nanoseconds of `CLOCK_MONOTONIC`.
    called: u64,
}

static EVENTS: Mutex<BTreeMap<usize, Arc<Event>>> = Mutex::new(BTreeMap::new());

fn events() -> MutexGuard<'static, BTreeMap<usize, Arc<Event>>> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes an event. Returns its handle.
pub(crate) fn create(flags: u32) -> usize {
    let event = Arc::new(Event { is_timed: flags & DISABLE_TIMING == 0, record: Mutex::default() });
    let handle = Arc::as_ptr(&event).addr();
    events().insert(handle, event);
    handle
}

pub(crate) fn find(handle: usize) -> Outcome<Arc<Event>> {
    let found = events().get(&handle).cloned();
    found.ok_or_else(|| Refusal::new(Code::InvalidHandle, "event", "is not an event, or was destroyed"))
}

pub(crate) fn destroy(handle: usize) -> Outcome {
    find(handle)?;
    events().remove(&handle);
    Ok(())
}

impl Event {
    fn recorded(&self) -> Option<Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records the commands that were submitted so far.
    pub(crate) fn record(&self, stream: &Stream) {
        let record = Record { queue: stream.queue.clone(), ticket: stream.last(), called: system::monotonic() };
        *self.record.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
    }

    /// An event that was never recorded is complete.
    pub(crate) fn is_complete(&self) -> Outcome<bool> {
        Ok(self.recorded().map_or(Ok(true), |record| record.queue.is_complete(record.ticket))?)
    }

    pub(crate) fn wait(&self) -> Outcome {
        Ok(self.recorded().map_or(Ok(()), |record| record.queue.wait(record.ticket))?)
    }

    /// Makes later commands of a stream wait for the event.
    pub(crate) fn hold_back(&self, stream: &Stream) -> Outcome {
        Ok(self.recorded().map_or(Ok(()), |record| stream.queue.depend(&record.queue, record.ticket))?)
    }

    fn time(&self) -> Outcome<u64> {
        let record = self
            .recorded()
            .filter(|_| self.is_timed)
            .ok_or_else(|| Refusal::new(Code::InvalidHandle, "event", "was not recorded, or was made without times"))?;
        if !record.queue.is_complete(record.ticket)? {
            return Err(Refusal::new(Code::NotReady, "event", "is not complete"));
        }
        let first = record.ticket.0.saturating_sub(WITHOUT_TIMES).max(1);
        let tickets = (first..=record.ticket.0).rev();
        let end = tickets.map(Ticket).find_map(|ticket| record.queue.profile(ticket).ok()).map(|times| times.end);
        Ok(end.unwrap_or_default().max(record.called))
    }
}

/// Time between two events in milliseconds.
pub(crate) fn elapsed(start: &Event, end: &Event) -> Outcome<f32> {
    let (start, end) = (start.time()? as i128, end.time()? as i128);
    Ok(((end - start) as f64 / NANOSECONDS) as f32)
}
