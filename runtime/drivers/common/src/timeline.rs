//! Counts the commands of one stream and tracks which are complete.
//!
//! In: commands that the driver accepted. Out: tickets. *Invariant:* a ticket is handed out after
//! its command was submitted, so whatever is submitted later follows every ticket that exists then.
//! `completed` never exceeds the last complete ticket.
//!
//! Submitting takes no lock. A query for a ticket first queries the stream; if that is not idle, it
//! records an event, once for each ticket that is queried, and queries the event from then on.

use crate::{
    context::{Context, Current, lock},
    event::{Event, Timing},
    progress::Progress,
    times::Times,
    vendor::{Handle, Vendor},
};
use sinter_driver::{DriverError, Ticket};
use sinter_signals::while_starting_threads;
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Marks to keep before checking which the stream has passed.
const MARKS: usize = 64;
/// Events of other streams to keep before checking which waits are over.
const KEPT: usize = 64;

/// An event that is complete once all tickets up to `ticket` are.
struct Mark<V: Vendor> {
    ticket: u64,
    event: Arc<Event<V>>,
}

/// A stream and the commands that we submitted to it.
pub(crate) struct Timeline<V: Vendor> {
    pub(crate) context: Arc<Context<V>>,
    pub(crate) stream: Handle<V::Stream>,
    /// True for a stream of the program's, which we do not destroy.
    adopted: bool,
    progress: Arc<Progress>,
    /// In ascending order of tickets.
    marks: Mutex<VecDeque<Mark<V>>>,
    /// Length of `marks`, written under its lock. Most queues never have a mark, so readers check
    /// this first.
    mark_count: AtomicUsize,
    /// Events of other streams that this one waits for, if it reads them only when it gets to the
    /// wait.
    kept: Mutex<VecDeque<Mark<V>>>,
    /// Present if profiling is enabled.
    times: OnceLock<Mutex<Times<V>>>,
}

impl<V: Vendor> Timeline<V> {
    /// Creates a stream.
    pub(crate) fn create(context: &Arc<Context<V>>) -> Result<Self, DriverError> {
        let _current = context.enter()?;
        let stream = while_starting_threads(|| context.api.stream_create());
        let stream = stream.map_err(|failure| context.report(failure))?;
        Ok(Timeline::new(context, stream, false))
    }

    /// Adopts a stream of the program's, which must belong to the context.
    ///
    /// # Safety
    /// The stream is alive and outlives the result.
    pub(crate) unsafe fn adopt(context: &Arc<Context<V>>, stream: *mut V::Stream) -> Result<Self, DriverError> {
        let _current = context.enter()?;
        // SAFETY: upheld by the caller.
        let asked = unsafe { context.api.owns_stream(context.device, context.handle, stream) };
        if !asked.map_err(|failure| context.report(failure))? {
            return Err(DriverError::Foreign { device: context.info.name.clone(), what: "stream" });
        }
        Ok(Timeline::new(context, stream, true))
    }

    fn new(context: &Arc<Context<V>>, stream: *mut V::Stream, adopted: bool) -> Self {
        Timeline {
            context: Arc::clone(context),
            stream: Handle(stream),
            adopted,
            progress: Arc::default(),
            marks: Mutex::default(),
            mark_count: AtomicUsize::new(0),
            kept: Mutex::default(),
            times: OnceLock::new(),
        }
    }

    // ---- Tickets.

    /// Progress counters of the stream.
    pub(crate) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// The last ticket handed out.
    #[inline]
    pub(crate) fn last(&self) -> u64 {
        self.progress.last()
    }

    /// Takes the ticket of a command that the driver has just accepted. `kernel` is the kernel's
    /// number, or 0 for other commands.
    #[inline]
    pub(crate) fn accept(&self, kernel: u32) -> Ticket {
        Ticket(self.progress.accept(kernel))
    }

    #[inline]
    pub(crate) fn is_known_complete(&self, ticket: u64) -> bool {
        self.progress.is_known_complete(ticket)
    }

    fn completed(&self, ticket: u64) {
        self.progress.complete(ticket);
        if self.mark_count.load(Ordering::Acquire) > 0 {
            self.drop_marks(ticket);
        }
    }

    #[cold]
    fn drop_marks(&self, ticket: u64) {
        let mut marks = lock(&self.marks);
        let passed = marks.partition_point(|mark| mark.ticket <= ticket);
        let passed: Vec<Mark<V>> = marks.drain(..passed).collect();
        self.mark_count.store(marks.len(), Ordering::Release);
        drop(marks);
        drop(passed);
    }

    // ---- Events.

    /// The first mark at or after a ticket.
    fn covering(&self, ticket: u64) -> Option<(u64, Arc<Event<V>>)> {
        if self.mark_count.load(Ordering::Acquire) == 0 {
            return None;
        }
        let marks = lock(&self.marks);
        let place = marks.partition_point(|mark| mark.ticket < ticket);
        marks.get(place).map(|mark| (mark.ticket, Arc::clone(&mark.event)))
    }

    /// Records a mark that covers everything submitted so far. The context is current.
    fn mark(&self) -> Result<Arc<Event<V>>, DriverError> {
        let ticket = self.last();
        let event = Arc::new(Event::record(&self.context, self.stream, Timing::Without)?);
        let mut marks = lock(&self.marks);
        let place = marks.partition_point(|mark| mark.ticket < ticket);
        marks.insert(place, Mark { ticket, event: Arc::clone(&event) });
        self.mark_count.store(marks.len(), Ordering::Release);
        drop(marks);
        self.drop_passed()?;
        Ok(event)
    }

    /// Drops marks that the stream has passed, once more than `MARKS` of them have accumulated.
    fn drop_passed(&self) -> Result<(), DriverError> {
        while self.mark_count.load(Ordering::Acquire) > MARKS {
            let Some((ticket, event)) = self.covering(0) else { break };
            if !event.has_passed()? {
                break;
            }
            self.completed(ticket);
        }
        Ok(())
    }

    /// An event that covers a ticket and was not complete when checked; `None` if the ticket is
    /// complete.
    pub(crate) fn pending(&self, ticket: u64, _current: &Current<V>) -> Result<Option<Arc<Event<V>>>, DriverError> {
        if self.is_known_complete(ticket) {
            return Ok(None);
        }
        if let Some((covered, event)) = self.covering(ticket) {
            return self.unless_passed(event.has_passed()?, covered, || Ok(event));
        }
        let last = self.last();
        // SAFETY: the stream is alive and the context current.
        let asked = unsafe { self.context.api.stream_query(self.stream.0) };
        let idle = self.context.answer(asked)?;
        self.unless_passed(idle, last, || self.mark())
    }

    fn unless_passed(
        &self,
        passed: bool,
        ticket: u64,
        event: impl FnOnce() -> Result<Arc<Event<V>>, DriverError>,
    ) -> Result<Option<Arc<Event<V>>>, DriverError> {
        if !passed {
            return event().map(Some);
        }
        self.completed(ticket);
        Ok(None)
    }

    /// Blocks until a ticket that was handed out is complete.
    pub(crate) fn wait(&self, ticket: u64) -> Result<(), DriverError> {
        let _current = self.context.enter()?;
        let last = self.last();
        match self.covering(ticket).filter(|(covered, _)| *covered < last) {
            Some((covered, event)) => event.wait().map(|()| self.completed(covered)),
            None => self.synchronize().map(|()| self.completed(last)),
        }
    }

    fn synchronize(&self) -> Result<(), DriverError> {
        // SAFETY: the stream is alive and the context current.
        let waited = unsafe { self.context.api.stream_synchronize(self.stream.0) };
        waited.map_err(|failure| self.context.report(failure))
    }

    /// Makes everything submitted to this stream from now on wait for an event of any stream. The
    /// context is current.
    pub(crate) fn wait_for(&self, event: &Event<V>) -> Result<(), DriverError> {
        // SAFETY: both are alive; the driver captures the event's state before it returns.
        let waited = unsafe { self.context.api.stream_wait(self.stream.0, event.handle().0) };
        waited.map_err(|failure| self.context.report(failure))
    }

    /// Prevents an event that the stream waits for from being recycled until the wait, whose ticket
    /// is `waiting`, is over.
    pub(crate) fn keep(&self, waiting: Ticket, event: Arc<Event<V>>) -> Result<(), DriverError> {
        let oldest = {
            let mut kept = lock(&self.kept);
            kept.push_back(Mark { ticket: waiting.0, event });
            if kept.len() > KEPT { kept.front().map(|mark| mark.ticket) } else { None }
        };
        if let Some(ticket) = oldest {
            let current = self.context.enter()?;
            self.pending(ticket, &current)?;
        }
        self.drop_kept();
        Ok(())
    }

    /// Releases the events whose waits are over.
    fn drop_kept(&self) {
        let mut kept = lock(&self.kept);
        let (over, waiting): (VecDeque<_>, VecDeque<_>) =
            kept.drain(..).partition(|mark| self.is_known_complete(mark.ticket));
        *kept = waiting;
        drop(kept);
        drop(over);
    }

    /// An event at the end of the stream; `None` if everything in the stream is complete. The
    /// context is current.
    pub(crate) fn end(&self, current: &Current<V>) -> Result<Option<Arc<Event<V>>>, DriverError> {
        self.pending(self.last(), current)
    }

    // ---- Profiling.

    #[inline]
    pub(crate) fn times(&self) -> Option<&Mutex<Times<V>>> {
        self.times.get()
    }

    /// Records times from now on. Fails with the number of commands if any were submitted.
    pub(crate) fn enable_profiling(&self) -> Result<(), DriverError> {
        if self.times().is_some() {
            return Ok(());
        }
        let (commands, device) = (self.last(), self.context.info.name.clone());
        if commands > 0 {
            return Err(DriverError::LateProfiling { device, commands });
        }
        let _current = self.context.enter()?;
        let times = Times::start(&self.context, self.stream)?;
        let _ = self.times.set(Mutex::new(times));
        Ok(())
    }

    // ---- The end.

    /// Waits for all commands.
    pub(crate) fn finish(&self) {
        if !self.is_known_complete(self.last()) {
            // There is nothing to wait for in a lost context.
            let _ = self.wait(self.last());
        }
    }
}

impl<V: Vendor> Drop for Timeline<V> {
    fn drop(&mut self) {
        if self.adopted {
            // SAFETY: the stream belongs to the program, and nobody uses it through this timeline
            // any more.
            return unsafe { self.context.api.stream_forget(self.stream.0) };
        }
        if !self.context.is_usable() {
            return;
        }
        // SAFETY: nobody else has the stream. An error, such as that the process is exiting, needs
        // no handling.
        let _ = unsafe { self.context.api.stream_destroy(self.stream.0) };
    }
}
