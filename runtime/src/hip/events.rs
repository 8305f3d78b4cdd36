//! Events: a ticket of a queue, and the time at which it was complete.
//!
//! The time is a mark of the queue, or, where there are none, the time at which its last command
//! ended. *Invariant:* the latter is not before the call that recorded the event.

use super::{
    error::{Code, Outcome, Refusal},
    streams::Stream,
};
use crate::{error::RuntimeError, queue::Queue, system};
use sinter_driver::{Mark, Ticket};
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
    mark: Option<Arc<dyn Mark>>,
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
    pub(crate) fn record(&self, stream: &Stream) -> Outcome {
        let called = system::monotonic();
        let mark = if self.is_timed { stream.queue.mark()? } else { None };
        let record = Record { queue: stream.queue.clone(), ticket: stream.last(), mark, called };
        *self.record.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
        Ok(())
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

    /// The record of an event that is complete and has a time.
    fn passed(&self) -> Outcome<Record> {
        let record = self
            .recorded()
            .filter(|_| self.is_timed)
            .ok_or_else(|| Refusal::new(Code::InvalidHandle, "event", "was not recorded, or was made without times"))?;
        if !record.queue.is_complete(record.ticket)? {
            return Err(Refusal::new(Code::NotReady, "event", "is not complete"));
        }
        Ok(record)
    }
}

impl Record {
    /// Time of the last command before the event that has one.
    fn time(&self) -> u64 {
        let first = self.ticket.0.saturating_sub(WITHOUT_TIMES).max(1);
        let tickets = (first..=self.ticket.0).rev();
        let end = tickets.map(Ticket).find_map(|ticket| self.queue.profile(ticket).ok()).map(|times| times.end);
        end.unwrap_or_default().max(self.called)
    }

    /// Nanoseconds until a later event, by their marks.
    fn marked_until(&self, end: &Record) -> Outcome<Option<f64>> {
        let (Some(start), Some(end)) = (&self.mark, &end.mark) else { return Ok(None) };
        Ok(start.until(end.as_ref()).map_err(RuntimeError::from)?)
    }
}

/// Time between two events in milliseconds.
pub(crate) fn elapsed(start: &Event, end: &Event) -> Outcome<f32> {
    let (start, end) = (start.passed()?, end.passed()?);
    let marked = start.marked_until(&end)?;
    let nanoseconds = marked.unwrap_or_else(|| (end.time() as i128 - start.time() as i128) as f64);
    Ok((nanoseconds / NANOSECONDS) as f32)
}
