//! Events of the dependency graph: a command's place in a queue of a driver.
//!
//! *Invariant:* a list of events has at most one of each in-order queue, the last one: its commands
//! before that are complete then too.
#![forbid(unsafe_code)]

use super::gate::Gate;
use crate::queue::deferral::Deferral;
use sinter_driver::{Queue, Ticket};
use std::sync::Arc;

/// A command in a driver's queue.
#[derive(Clone)]
pub(crate) struct Event {
    pub(crate) queue: Arc<dyn Queue>,
    pub(crate) ticket: Ticket,
    /// True if the event may wait for the program: a [`Gate`], which a thread of it opens, or a
    /// command of a queue that keeps commands back behind host tasks.
    pub(crate) is_of_program: bool,
}

impl Event {
    /// The event of a command of a device.
    pub(crate) fn of(queue: &Arc<dyn Queue>, ticket: Ticket) -> Self {
        let is_deferred = queue.as_any().is_some_and(|queue| queue.is::<Deferral>());
        Event { queue: Arc::clone(queue), ticket, is_of_program: is_deferred }
    }

    /// The event of a gate being opened.
    pub(crate) fn of_gate(gate: &Arc<Gate>) -> Self {
        Event { queue: Arc::clone(gate) as Arc<dyn Queue>, ticket: Gate::TICKET, is_of_program: true }
    }

    /// True if the event is a host accessor of this thread, which would wait for itself.
    pub(crate) fn is_mine(&self) -> bool {
        let gate = self.queue.as_any().and_then(|queue| queue.downcast_ref::<Gate>());
        gate.is_some_and(|gate| gate.is_mine() && !gate.is_open())
    }

    /// False if the driver cannot tell.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.queue.is_complete(self.ticket), Ok(true))
    }
}

/// Adds an event to a list, in which it replaces an earlier one of its queue.
pub(crate) fn add(list: &mut Vec<Event>, event: &Event) {
    match list.iter_mut().find(|known| Arc::ptr_eq(&known.queue, &event.queue)) {
        Some(known) => known.ticket = known.ticket.max(event.ticket),
        None => list.push(event.clone()),
    }
}
