//! A queue with its device and its lanes.
//!
//! *Invariant:* all live as long as the queue, so that a launch looks up none of them. A queue that
//! has had a host task submits through a `Deferral`.

mod backlog;
pub(crate) mod deferral;
mod tickets;

use crate::{
    buffers::gate::Gate,
    devices::DeviceEntry,
    error::RuntimeError,
    lanes::{Decoded, Lanes},
};
use backlog::Backlog;
use deferral::Deferral;
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::sync::{Arc, OnceLock, atomic::Ordering};

pub(crate) use backlog::HostTask;

/// The backlog of a queue that has had a host task, and the same as a driver's queue.
struct Deferred {
    backlog: Arc<Backlog>,
    queue: Arc<dyn DriverQueue>,
}

/// An in-order queue of one device. A clone is another handle of the same queue.
#[derive(Clone)]
pub struct Queue {
    device: Arc<DeviceEntry>,
    inner: Arc<dyn DriverQueue>,
    deferred: Arc<OnceLock<Deferred>>,
    lanes: Arc<Lanes>,
}

impl Queue {
    /// Creates a queue on `device`.
    pub fn new(device: &Arc<DeviceEntry>) -> Result<Self, RuntimeError> {
        Ok(Queue::of(device, device.device.create_queue()?))
    }

    /// Wraps a driver's queue on `device`.
    pub(crate) fn of(device: &Arc<DeviceEntry>, inner: Arc<dyn DriverQueue>) -> Self {
        Queue { device: Arc::clone(device), inner, deferred: Arc::default(), lanes: Arc::default() }
    }

    /// The same queue with a lane in the place of the queue itself.
    pub(crate) fn on_lane(&self, lane: &Arc<dyn DriverQueue>) -> Self {
        Queue {
            device: Arc::clone(&self.device),
            inner: Arc::clone(lane),
            deferred: Arc::default(),
            lanes: Arc::clone(&self.lanes),
        }
    }

    /// Lanes of the queue.
    pub(crate) fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// The driver's queue that takes commands in order.
    #[inline]
    pub(crate) fn own(&self) -> &Arc<dyn DriverQueue> {
        match self.deferred.get() {
            None => &self.inner,
            Some(deferred) => &deferred.queue,
        }
    }

    fn backlog(&self) -> &Arc<Backlog> {
        let make = || {
            let is_profiled = self.lanes.is_profiled.load(Ordering::Acquire);
            let backlog = Arc::new(Backlog::new(self.device.info().name.clone(), Arc::clone(&self.inner), is_profiled));
            Deferred { queue: Arc::new(Deferral(Arc::clone(&backlog))), backlog }
        };
        &self.deferred.get_or_init(make).backlog
    }

    /// Runs `task` on a thread of the queue once the earlier commands are complete; later ones
    /// start when it has returned. It is dropped when its ticket is complete.
    pub(crate) fn host_task(&self, task: HostTask) -> Result<Ticket, RuntimeError> {
        // A queue that was made before a fork refuses the task as it refuses commands.
        self.inner.is_complete(self.inner.last())?;
        let backlog = self.backlog();
        self.follow_late()?;
        Ok(backlog.host_task(task)?)
    }

    /// Waits for all commands that do not wait for the program, and for the thread of the host
    /// tasks to end.
    pub(crate) fn finish(&self) -> Result<(), RuntimeError> {
        let result = self.wait_lanes();
        if let Some(deferred) = self.deferred.get() {
            deferred.backlog.join();
        }
        result
    }

    /// Lets the next command follow those that were submitted late.
    #[inline]
    pub(crate) fn follow_late(&self) -> Result<(), RuntimeError> {
        if self.lanes.ordered.load(Ordering::Relaxed) == 0 { Ok(()) } else { self.follow_gates() }
    }

    /// Events of late commands, if any later command has to follow them.
    #[inline]
    pub(crate) fn late_gates(&self) -> Vec<Arc<Gate>> {
        if self.lanes.ordered.load(Ordering::Relaxed) == 0 { Vec::new() } else { self.lanes.late() }
    }

    #[cold]
    fn follow_gates(&self) -> Result<(), RuntimeError> {
        self.late_gates().into_iter().try_for_each(|gate| self.depend_on_gate(gate))
    }

    /// Keeps later commands back until a gate is open. A driver would block the caller, who may be
    /// the one that opens it.
    fn depend_on_gate(&self, gate: Arc<Gate>) -> Result<(), RuntimeError> {
        if gate.is_open() {
            return Ok(());
        }
        let gate: Arc<dyn DriverQueue> = gate;
        Ok(self.backlog().depend(&gate, Gate::TICKET)?)
    }

    /// Makes the queue itself wait for all its lanes. Returns the ticket of the last command.
    pub fn join(&self) -> Result<Ticket, RuntimeError> {
        for (_, lane) in self.lanes.others() {
            self.own().depend(lane, lane.last())?;
        }
        self.lanes.late().into_iter().try_for_each(|gate| self.depend_on_gate(gate))?;
        Ok(self.own().last())
    }

    /// Like [`Queue::join`]; later commands of all lanes wait for it.
    pub(crate) fn barrier(&self) -> Result<Ticket, RuntimeError> {
        let last = self.join()?;
        self.lanes.set_barrier(last);
        Ok(last)
    }

    /// Blocks until all commands are complete.
    pub fn wait_all(&self) -> Result<(), RuntimeError> {
        let late = self.lanes.late();
        // First: later commands may wait for the host task that waits here.
        late.iter().try_for_each(|gate| gate.check_waiter())?;
        let late = late.iter().map(|gate| gate.pass()).fold(Ok(()), Result::and);
        self.wait_lanes().and(late)
    }

    /// Blocks until all commands are complete that do not wait for the program.
    pub(crate) fn wait_lanes(&self) -> Result<(), RuntimeError> {
        let lanes = self.lanes.others().map(|(_, lane)| Ok(lane.wait(lane.last())?));
        let others = lanes.fold(Ok(()), Result::and);
        Ok(self.own().wait(self.own().last())?).and(others)
    }

    #[cold]
    fn unknown(&self, ticket: Ticket) -> RuntimeError {
        let last = self.own().last();
        RuntimeError::invalid("ticket", format!("{} was not handed out yet; the last one is {}", ticket.0, last.0))
    }

    /// Device that runs the commands.
    #[inline]
    pub fn device(&self) -> &DeviceEntry {
        &self.device
    }

    pub(crate) fn device_handle(&self) -> &Arc<DeviceEntry> {
        &self.device
    }

    /// True if both are handles of one queue.
    pub(crate) fn is(&self, other: &Queue) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Blocks until `ticket` is complete, where an error cannot be returned. Returns false if it is
    /// not complete: a child process cannot wait for the queues of its parent.
    pub(crate) fn settle(&self, ticket: Ticket) -> bool {
        let Decoded::Own(own) = self.lanes.decode(ticket) else { return self.wait(ticket).is_ok() };
        match self.own().wait(own) {
            Ok(()) => true,
            Err(DriverError::Inherited { .. } | DriverError::Forked { .. }) => false,
            Err(error) => {
                tracing::warn!("a command failed, and its memory was dropped: {error}");
                matches!(self.own().is_complete(own), Ok(true))
            }
        }
    }

    /// The driver's queue behind this handle.
    #[inline]
    pub fn driver_queue(&self) -> &dyn DriverQueue {
        self.own().as_ref()
    }

    /// Makes later commands wait for a command of another queue itself.
    fn depend_on_queue(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        let Some(deferred) = other.deferred.get() else { return Ok(self.own().depend(&other.inner, ticket)?) };
        match deferred.backlog.resolved(ticket)? {
            Some(inner) => Ok(self.own().depend(&other.inner, inner)?),
            None => Ok(self.backlog().depend_on_deferred(Arc::clone(&deferred.backlog), ticket)?),
        }
    }

    /// Makes later commands wait for `ticket` of `other`.
    pub fn depend(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        match other.lanes.decode(ticket) {
            // An in-order queue never starts a command before the earlier ones are complete, so
            // only a ticket that does not exist is an error.
            Decoded::Own(_) if self.is(other) => self.is_complete(ticket).map(drop),
            Decoded::Own(own) => self.depend_on_queue(other, own),
            Decoded::Lane(lane, own) => Ok(self.own().depend(lane, own)?),
            Decoded::Late(gate) => self.depend_on_gate(gate),
            Decoded::Done => Ok(()),
            Decoded::Unknown => Err(other.unknown(ticket)),
        }
    }

    /// Records times of all commands. Must be called before the first command.
    pub fn enable_profiling(&self) -> Result<(), RuntimeError> {
        self.own().enable_profiling()?;
        self.lanes.is_profiled.store(true, Ordering::Release);
        Ok(())
    }

    /// Blocks until `ticket` is complete, then returns its times.
    pub fn profile(&self, ticket: Ticket) -> Result<Profile, RuntimeError> {
        let no_times = || {
            let why = "has no times: enable profiling before the first command, and ask before";
            RuntimeError::invalid("ticket", format!("{} {why} {PROFILED_TICKETS} more commands", ticket.0))
        };
        let times = match self.lanes.decode(ticket) {
            Decoded::Own(own) => self.own().profile(own)?,
            Decoded::Lane(lane, own) => lane.profile(own)?,
            Decoded::Late(_) | Decoded::Done => None,
            Decoded::Unknown => return Err(self.unknown(ticket)),
        };
        times.ok_or_else(no_times)
    }

    /// Blocks until `ticket` is complete.
    #[inline]
    pub fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        match self.lanes.decode(ticket) {
            Decoded::Own(own) => Ok(self.own().wait(own)?),
            Decoded::Lane(lane, own) => Ok(lane.wait(own)?),
            Decoded::Late(gate) => gate.pass(),
            Decoded::Done => Ok(()),
            Decoded::Unknown => Err(self.unknown(ticket)),
        }
    }

    /// True if `ticket` is complete.
    pub fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        let (queue, own) = match self.lanes.decode(ticket) {
            Decoded::Own(own) => (self.own(), own),
            Decoded::Lane(lane, own) => (lane, own),
            Decoded::Late(gate) => return Ok(gate.is_open()),
            Decoded::Done => return Ok(true),
            Decoded::Unknown => return Err(self.unknown(ticket)),
        };
        // For a ticket that does not exist a driver may return false, and the caller would poll for
        // ever.
        if own > queue.last() {
            return Err(self.unknown(ticket));
        }
        Ok(queue.is_complete(own)?)
    }
}
