//! Events of the dependency graph: a command's place in a queue of a driver.
//!
//! *Invariant:* a list of events has at most one of each in-order queue, the last one: its commands
//! before that are complete then too. Only commands that are kept back can fail one by one, and
//! each of them that a command needs is known.
#![forbid(unsafe_code)]

use super::gate::Gate;
use crate::{
    error::RuntimeError,
    queue::{backlog::Backlog, deferral::Deferral, errors::Errors},
};
use sinter_driver::{Queue, Ticket};
use smallvec::SmallVec;
use std::sync::Arc;

/// Few events, as nearly every cell of a buffer and every command has.
pub(crate) type Events = SmallVec<[Event; 2]>;

/// A command in a driver's queue.
pub(crate) struct Event {
    pub(crate) queue: Arc<dyn Queue>,
    pub(crate) ticket: Ticket,
    /// True if the queue is a [`Deferral`] or a [`Gate`].
    may_be_kept_back: bool,
    /// Where the errors of its queue go, if that is not the runtime's queue that owns it.
    errors: Option<Arc<Errors>>,
}

impl Clone for Event {
    fn clone(&self) -> Self {
        let Event { queue, ticket, may_be_kept_back, errors } = self;
        let (queue, errors) = (Arc::clone(queue), errors.clone());
        Event { queue, ticket: *ticket, may_be_kept_back: *may_be_kept_back, errors }
    }

    /// Counts no owners of the queue for another command of the same queue.
    fn clone_from(&mut self, other: &Self) {
        if Arc::ptr_eq(&self.queue, &other.queue) {
            (self.ticket, self.may_be_kept_back) = (other.ticket, other.may_be_kept_back);
            self.errors.clone_from(&other.errors);
        } else {
            *self = other.clone();
        }
    }
}

impl Event {
    /// The event of a command of a device.
    pub(crate) fn of(queue: &Arc<dyn Queue>, ticket: Ticket) -> Self {
        let may_be_kept_back = queue.as_any().is_some_and(|queue| queue.is::<Deferral>());
        Event { queue: Arc::clone(queue), ticket, may_be_kept_back, errors: None }
    }

    /// The event of a gate being opened.
    pub(crate) fn of_gate(gate: &Arc<Gate>) -> Self {
        let queue = Arc::clone(gate) as Arc<dyn Queue>;
        Event { queue, ticket: Gate::TICKET, may_be_kept_back: true, errors: None }
    }

    /// A command that this one leads to, with errors of the same queue.
    pub(super) fn followed_by(&self, queue: &Arc<dyn Queue>, ticket: Ticket) -> Self {
        Event { errors: self.errors(), ..Event::of(queue, ticket) }
    }

    /// Errors of the queue; `None` for an event of the program.
    fn errors(&self) -> Option<Arc<Errors>> {
        self.errors.clone().or_else(|| Errors::of(self.device_queue()))
    }

    /// The queue that a device knows.
    pub(super) fn device_queue(&self) -> &Arc<dyn Queue> {
        self.backlog().map_or(&self.queue, |backlog| backlog.inner())
    }

    /// True if the event is a host accessor of this thread, which would wait for itself.
    pub(crate) fn is_mine(&self) -> bool {
        self.gate().is_some_and(|gate| gate.is_mine() && !gate.is_open())
    }

    fn queue_as<Kind: 'static>(&self) -> Option<&Kind> {
        if self.may_be_kept_back { self.queue.as_any()?.downcast_ref() } else { None }
    }

    fn gate(&self) -> Option<&Gate> {
        self.queue_as()
    }

    fn backlog(&self) -> Option<&Arc<Backlog>> {
        self.queue_as::<Deferral>().map(|deferral| &deferral.0)
    }

    /// True if the event waits for the program: a device does not know it yet.
    pub(crate) fn is_kept_back(&self) -> bool {
        match self.backlog() {
            Some(backlog) => matches!(backlog.resolved(self.ticket), Ok(None)),
            None => self.may_be_kept_back && !self.is_complete(),
        }
    }

    /// False if the driver cannot tell.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.queue.is_complete(self.ticket), Ok(true))
    }

    /// Error of the command, if it was kept back and failed then.
    pub(crate) fn failure(&self) -> Option<RuntimeError> {
        self.backlog()?.failure(self.ticket)
    }

    /// The queue and the ticket that a device knows. Blocks while the command is kept back.
    fn known(&self) -> Result<(&Arc<dyn Queue>, Ticket), RuntimeError> {
        Ok(match self.backlog() {
            Some(backlog) => (backlog.inner(), backlog.resolve(self.ticket)?),
            None => (&self.queue, self.ticket),
        })
    }

    /// Makes later commands of a device's queue wait. Blocks while the event waits for the program.
    pub(crate) fn precede(&self, queue: &dyn Queue) -> Result<(), RuntimeError> {
        if let Some(gate) = self.gate() {
            gate.pass();
            return Ok(());
        }
        let (known, ticket) = self.known()?;
        Ok(queue.depend(known, ticket)?)
    }

    /// Blocks until the command is complete. An error of its queue is left to the waits of that,
    /// and is [`RuntimeError::Depends`] here.
    pub(crate) fn wait(&self) -> Result<(), RuntimeError> {
        if let Some(gate) = self.gate() {
            gate.pass();
            return Ok(());
        }
        let (known, ticket) = self.known()?;
        known.wait(ticket).map_err(|error| {
            let error = RuntimeError::from(error);
            if self.report(&error) { RuntimeError::Depends { cause: Arc::new(error) } } else { error }
        })
    }

    /// Leaves an error to the waits of the event's queue. False if it is one of the caller's own.
    pub(crate) fn report(&self, error: &RuntimeError) -> bool {
        self.errors().is_some_and(|errors| errors.add_from(error))
    }
}

/// Adds an event to a list, in which it replaces an earlier one of its queue.
pub(crate) fn add(list: &mut Events, event: &Event) {
    match list.iter_mut().find(|known| Arc::ptr_eq(&known.queue, &event.queue)) {
        Some(known) => known.ticket = known.ticket.max(event.ticket),
        None => list.push(event.clone()),
    }
}

/// Waits for all events. The error is that of the first one that has any.
pub(crate) fn wait_all(list: &[Event]) -> Result<(), RuntimeError> {
    list.iter().map(Event::wait).fold(Ok(()), Result::and)
}

/// The events that precede a command.
#[derive(Default)]
pub(crate) struct Waits {
    pub(crate) events: Events,
    /// Those that can fail one by one, and whose results the command uses.
    pub(crate) needs: Vec<Event>,
}

impl Waits {
    /// Adds an event that has to be complete.
    pub(crate) fn follow(&mut self, event: &Event) {
        add(&mut self.events, event);
    }

    /// Adds an event whose results the command uses, which it may learn of in another way.
    pub(crate) fn need(&mut self, event: &Event) {
        let is_known = |known: &Event| Arc::ptr_eq(&known.queue, &event.queue) && known.ticket == event.ticket;
        if event.backlog().is_some() && !self.needs.iter().any(is_known) {
            self.needs.push(event.clone());
        }
    }

    /// Fails if a command whose results are needed has failed.
    pub(crate) fn check(&self) -> Result<(), RuntimeError> {
        self.needs.iter().find_map(Event::failure).map_or(Ok(()), Err)
    }
}
