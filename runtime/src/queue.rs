//! A queue with its device and its lanes.
//!
//! *Invariant:* all live as long as the queue, so that a launch looks up none of them. A queue that
//! has kept a command back submits through a `Deferral`.

pub(crate) mod backlog;
pub(crate) mod deferral;
pub(crate) mod errors;
pub(crate) mod place;
mod tickets;

use crate::{
    code::tiers::JitMode,
    devices::DeviceEntry,
    error::RuntimeError,
    lanes::{Decoded, Lanes, LateLane},
};
use backlog::{Backlog, Held};
use deferral::Deferral;
use errors::Errors;
use place::Place;
use sinter_driver::{DriverError, Mark, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::sync::{Arc, OnceLock, atomic::Ordering};

pub(crate) use backlog::{HostTask, Kind, Turn};

/// An in-order queue of one device. A clone is another handle of the same queue.
#[derive(Clone)]
pub struct Queue {
    device: Arc<DeviceEntry>,
    inner: Arc<dyn DriverQueue>,
    deferred: Arc<OnceLock<LateLane>>,
    lanes: Arc<Lanes>,
}

impl Queue {
    /// Creates a queue on `device`.
    pub fn new(device: &Arc<DeviceEntry>) -> Result<Self, RuntimeError> {
        Ok(Queue::of(device, device.device.create_queue()?))
    }

    /// Wraps a driver's queue on `device`.
    pub(crate) fn of(device: &Arc<DeviceEntry>, inner: Arc<dyn DriverQueue>) -> Self {
        let lanes = Arc::new(Lanes::of_device(device.index));
        lanes.errors.own(&inner);
        Queue { device: Arc::clone(device), inner, deferred: Arc::default(), lanes }
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

    /// Errors of the queue's commands.
    pub(crate) fn errors(&self) -> &Arc<Errors> {
        &self.lanes.errors
    }

    fn lane_of(&self, inner: Arc<dyn DriverQueue>) -> LateLane {
        let is_profiled = self.lanes.is_profiled.load(Ordering::Acquire);
        let errors = Arc::clone(self.errors());
        let backlog = Arc::new(Backlog::new(self.device.info().name.clone(), inner, is_profiled, errors));
        LateLane { queue: Arc::new(Deferral(Arc::clone(&backlog))), backlog }
    }

    fn backlog(&self) -> &Arc<Backlog> {
        &self.deferred.get_or_init(|| self.lane_of(Arc::clone(&self.inner))).backlog
    }

    fn new_late_lane(&self) -> Result<LateLane, RuntimeError> {
        let inner = self.device.device.create_queue()?;
        if self.lanes.is_profiled.load(Ordering::Acquire) {
            inner.enable_profiling()?;
        }
        self.errors().own(&inner);
        Ok(self.lane_of(inner))
    }

    /// Runs `task` on a thread of the queue once the earlier commands are complete; later ones
    /// start when it has returned. It is dropped when its ticket is complete.
    pub(crate) fn host_task(&self, task: HostTask) -> Result<Ticket, RuntimeError> {
        // A queue that was made before a fork refuses the task as it refuses commands.
        self.inner.is_complete(self.inner.last())?;
        Ok(self.backlog().host_task(task)?)
    }

    /// Keeps a command back: in the queue itself if it is ordered, or else beside its other
    /// commands. Returns where it will run, the ticket there, and the ticket of the queue.
    pub(crate) fn hold(
        &self,
        kind: Kind,
        held: Held,
        is_ordered: bool,
    ) -> Result<(Arc<dyn DriverQueue>, Ticket, Ticket), RuntimeError> {
        if is_ordered {
            let ticket = self.backlog().hold(kind, held)?;
            return Ok((Arc::clone(self.own()), ticket, ticket));
        }
        self.lanes.add_late(|| self.new_late_lane(), |backlog| Ok(backlog.hold(kind, held)?))
    }

    /// Waits for all commands that do not wait for the program, and for the thread of the host
    /// tasks to end.
    pub(crate) fn finish(&self) -> Result<(), RuntimeError> {
        let result = self.wait_lanes();
        if let Some(deferred) = self.deferred.get() {
            deferred.backlog.join();
        }
        while let Err(error) = self.errors().take() {
            tracing::warn!("a command failed, and nothing waited for its queue: {error}");
        }
        result
    }

    /// Makes the queue itself wait for all its lanes. Returns the ticket of the last command.
    pub fn join(&self) -> Result<Ticket, RuntimeError> {
        for (_, lane) in self.lanes.others() {
            self.own().depend(lane, lane.last())?;
        }
        for (lane, ticket) in self.lanes.late() {
            self.follow(&lane, ticket, false)?;
        }
        if let Some(deferred) = self.deferred.get()
            && !deferred.backlog.is_direct()
        {
            // Takes the error of a dependency without a command.
            deferred.backlog.hold(
                Kind::Command,
                Box::new(|turn| {
                    turn.before?;
                    Ok(turn.inner.last())
                }),
            )?;
        }
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
        late.iter().try_for_each(|(lane, _)| lane.backlog.check_waiter())?;
        let late = late.iter().map(|(lane, ticket)| Ok(lane.queue.wait(*ticket)?)).fold(Ok(()), Result::and);
        self.wait_lanes().and(late)?;
        self.errors().take()
    }

    /// Takes the oldest error of a command that no wait has returned. `waits`: also of commands
    /// that are not complete yet, unless they wait for the program.
    pub(crate) fn take_error(&self, waits: bool) -> Result<(), RuntimeError> {
        if waits && let Err(error) = self.wait_lanes() {
            self.errors().add_from(&error);
        }
        self.errors().take()
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

    /// Treatment of later launches whose code is in no cache. `None`: that of the settings.
    pub fn set_jit_mode(&self, mode: Option<JitMode>) {
        self.lanes.place.set_mode(mode);
    }

    /// The mode of the queue, if it is not that of the settings.
    pub fn jit_mode(&self) -> Option<JitMode> {
        self.lanes.place.get().mode()
    }

    /// The number by which launches find their kernels.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        self.lanes.place.get()
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
                self.errors().add_from(&error.into());
                matches!(self.own().is_complete(own), Ok(true))
            }
        }
    }

    /// The driver's queue behind this handle.
    #[inline]
    pub fn driver_queue(&self) -> &dyn DriverQueue {
        self.own().as_ref()
    }

    /// Makes later commands wait for one that may be kept back. `needed`: they use its results.
    fn follow(&self, lane: &LateLane, ticket: Ticket, needed: bool) -> Result<(), RuntimeError> {
        if let Some(inner) = lane.backlog.resolved(ticket)? {
            lane.backlog.failure(ticket).filter(|_| needed).map_or(Ok(()), Err)?;
            let is_own = self.deferred.get().is_some_and(|own| Arc::ptr_eq(&own.backlog, &lane.backlog));
            if is_own {
                return Ok(());
            }
            return Ok(self.own().depend(lane.backlog.inner(), inner)?);
        }
        let other = Arc::clone(&lane.backlog);
        let wait = move |turn: Turn<'_>| {
            let inner = other.resolve(ticket)?;
            other.failure(ticket).filter(|_| needed).map_or(Ok(()), Err)?;
            turn.inner.depend(other.inner(), inner)?;
            Ok(turn.inner.last())
        };
        Ok(self.backlog().hold(Kind::Dependency, Box::new(wait)).map(drop)?)
    }

    /// Makes later commands wait for `ticket` of `other`.
    pub fn depend(&self, other: &Queue, ticket: Ticket) -> Result<(), RuntimeError> {
        match (other.lanes.decode(ticket), other.deferred.get()) {
            (Decoded::Own(own), Some(lane)) => self.follow(lane, own, true),
            // An in-order queue never starts a command before the earlier ones are complete, so
            // only a ticket that does not exist is an error.
            (Decoded::Own(_), None) if self.is(other) => self.is_complete(ticket).map(drop),
            (Decoded::Own(own), None) => Ok(self.own().depend(&other.inner, own)?),
            (Decoded::Lane(lane, own), _) => Ok(self.own().depend(lane, own)?),
            (Decoded::Late(lane, own), _) => self.follow(&lane, own, true),
            (Decoded::Done, _) => Ok(()),
            (Decoded::Unknown, _) => Err(other.unknown(ticket)),
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
            Decoded::Late(lane, own) => lane.queue.profile(own)?,
            Decoded::Done => None,
            Decoded::Unknown => return Err(self.unknown(ticket)),
        };
        times.ok_or_else(no_times)
    }

    /// True if [`Queue::mark`] returns marks.
    pub(crate) fn has_marks(&self) -> bool {
        self.own().has_marks()
    }

    /// Marks the moment at which all commands so far are complete.
    pub(crate) fn mark(&self) -> Result<Option<Arc<dyn Mark>>, RuntimeError> {
        Ok(self.own().mark()?)
    }

    /// Blocks until `ticket` is complete.
    #[inline]
    pub fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        match self.lanes.decode(ticket) {
            Decoded::Own(own) => self.own().wait(own)?,
            Decoded::Lane(lane, own) => lane.wait(own)?,
            Decoded::Late(lane, own) => lane.queue.wait(own)?,
            Decoded::Done => {}
            Decoded::Unknown => return Err(self.unknown(ticket)),
        }
        self.errors().take()
    }

    /// True if `ticket` is complete.
    pub fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        let late;
        let (queue, own) = match self.lanes.decode(ticket) {
            Decoded::Own(own) => (self.own(), own),
            Decoded::Lane(lane, own) => (lane, own),
            Decoded::Late(lane, own) => {
                late = lane;
                (&late.queue, own)
            }
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
