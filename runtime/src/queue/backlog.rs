//! Runs host tasks between the commands of a queue.
//!
//! In: host tasks, commands, and dependencies on commands that are deferred themselves. Out: the
//! same in their order, each host task on a thread of its own queue. *Invariant:* a command after a
//! host task is not handed to the device's driver before the host task has returned.
//!
//! So a device never waits for the host, which no driver allows without restrictions: loading code
//! may wait for all that runs, and streams may share a channel of the device. It is also the same
//! on every driver, and a host task may submit to other queues and wait for them.
//!
//! A queue gets one of these with its first host task. The thread exists while commands are
//! deferred; otherwise commands go to the driver directly.
#![forbid(unsafe_code)]

use super::tickets::{FIRST, Tickets};
use crate::{buffers::gate::SELF_WAIT, system};
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle, ThreadId},
};

/// A host task: called once, and dropped when its ticket is complete.
pub(crate) type HostTask = Box<dyn FnMut() + Send>;

pub(super) type Call = Box<dyn FnOnce(&dyn DriverQueue) -> Result<Ticket, DriverError> + Send>;

enum Action {
    Task(HostTask),
    Call(Option<Call>),
    /// Waits for a command of another queue that is deferred there.
    Depend(Arc<Backlog>, Ticket),
}

struct Deferred {
    ticket: u64,
    action: Action,
}

/// Times of a host task, or the submission of a deferred command.
struct Record {
    ticket: u64,
    submit: u64,
    ran: Option<(u64, u64)>,
}

#[derive(Default)]
struct State {
    last: u64,
    waiting: VecDeque<Deferred>,
    /// The worker has taken a command and has not recorded its ticket yet.
    busy: bool,
    /// The thread that runs deferred commands, while there are any.
    worker: Option<ThreadId>,
    thread: Option<JoinHandle<()>>,
    tickets: Tickets,
    errors: VecDeque<DriverError>,
    records: VecDeque<Record>,
}

impl State {
    fn is_direct(&self) -> bool {
        !self.busy && self.waiting.is_empty()
    }

    fn next(&mut self) -> u64 {
        self.last = FIRST.max(self.last + 1);
        self.last
    }

    fn record(&mut self, ticket: u64) {
        if self.records.len() as u64 == PROFILED_TICKETS {
            self.records.pop_front();
        }
        self.records.push_back(Record { ticket, submit: system::monotonic(), ran: None });
    }

    fn record_of(&mut self, ticket: u64) -> Option<&mut Record> {
        let place = self.records.binary_search_by_key(&ticket, |record| record.ticket).ok()?;
        self.records.get_mut(place)
    }

    fn is_worker(&self) -> bool {
        self.worker == Some(thread::current().id())
    }
}

/// The commands of a queue that has had a host task.
pub(crate) struct Backlog {
    device: String,
    inner: Arc<dyn DriverQueue>,
    process: u32,
    is_profiled: bool,
    /// Held during a submission, so that tickets have the order of the driver's.
    order: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

/// A poisoned lock means that a thread panicked in a driver; the state is changed by whole steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Backlog {
    pub(super) fn new(device: String, inner: Arc<dyn DriverQueue>, is_profiled: bool) -> Self {
        let state = State { last: inner.last().0, ..State::default() };
        let (process, state) = (process::id(), Mutex::new(state));
        let (order, changed) = (Mutex::new(()), Condvar::new());
        Backlog { device, inner, process, is_profiled, order, state, changed }
    }

    /// A thread of the parent's does not exist in a forked child.
    fn check_process(&self) -> Result<(), DriverError> {
        if self.process == process::id() {
            return Ok(());
        }
        Err(DriverError::Inherited { device: self.device.clone() })
    }

    /// Runs `task` once the earlier commands are complete, before the later ones.
    pub(crate) fn host_task(self: &Arc<Self>, task: HostTask) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let _order = lock(&self.order);
        self.defer(Action::Task(task))
    }

    /// Makes later commands wait for a ticket of a queue that defers it.
    pub(super) fn depend_on_deferred(self: &Arc<Self>, other: Arc<Backlog>, ticket: Ticket) -> Result<(), DriverError> {
        self.check_process()?;
        let _order = lock(&self.order);
        self.defer(Action::Depend(other, ticket)).map(drop)
    }

    /// Queues an action for the worker, which is started unless it runs. The caller holds `order`.
    fn defer(self: &Arc<Self>, action: Action) -> Result<Ticket, DriverError> {
        let mut state = lock(&self.state);
        if state.worker.is_none() {
            let thread = self.start()?;
            state.worker = Some(thread.thread().id());
            state.thread = Some(thread);
        }
        let ticket = state.next();
        state.record(ticket);
        state.waiting.push_back(Deferred { ticket, action });
        Ok(Ticket(ticket))
    }

    /// Starts the worker, which begins when the caller unlocks the state.
    fn start(self: &Arc<Self>) -> Result<JoinHandle<()>, DriverError> {
        let own = Arc::clone(self);
        let failed =
            |source| DriverError::System { context: "cannot start a thread for host tasks".to_owned(), source };
        thread::Builder::new().name("sinter-task".to_owned()).spawn(move || own.work()).map_err(failed)
    }

    /// Hands a command to the driver, at once or later.
    pub(super) fn submit(
        self: &Arc<Self>,
        now: impl FnOnce(&dyn DriverQueue) -> Result<Ticket, DriverError>,
        later: impl FnOnce() -> Call,
    ) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let _order = lock(&self.order);
        if !lock(&self.state).is_direct() {
            return self.defer(Action::Call(Some(later())));
        }
        let inner = now(self.inner.as_ref())?;
        let mut state = lock(&self.state);
        let ticket = state.next();
        state.tickets.push(ticket, inner);
        Ok(Ticket(ticket))
    }

    fn work(self: Arc<Self>) {
        loop {
            if self.step() {
                continue;
            }
            let mut state = lock(&self.state);
            if state.waiting.is_empty() {
                state.worker = None;
                return self.changed.notify_all();
            }
        }
    }

    /// Takes the first deferred command, if there is one. The task is dropped once its ticket is
    /// complete: its destructor may wait for the queue, or give it up.
    fn step(&self) -> bool {
        let Some(mut first) = self.take() else { return false };
        let mut ran = None;
        let act = AssertUnwindSafe(|| self.act(&mut first.action, &mut ran));
        let result =
            catch_unwind(act).unwrap_or_else(|_| Err(self.failed("a thread panicked while it ran the command")));
        self.finish(first.ticket, result, ran);
        true
    }

    fn act(&self, action: &mut Action, ran: &mut Option<(u64, u64)>) -> Result<Ticket, DriverError> {
        match action {
            Action::Task(task) => self.run(task, ran),
            Action::Call(call) => call.take().map_or(Ok(self.inner.last()), |call| call(self.inner.as_ref())),
            Action::Depend(other, ticket) => self.depend_now(other, *ticket),
        }
    }

    fn take(&self) -> Option<Deferred> {
        let mut state = lock(&self.state);
        let first = state.waiting.pop_front()?;
        state.busy = true;
        Some(first)
    }

    fn finish(&self, ticket: u64, result: Result<Ticket, DriverError>, ran: Option<(u64, u64)>) {
        let mut state = lock(&self.state);
        let inner = result.unwrap_or_else(|error| {
            state.errors.push_back(error);
            self.inner.last()
        });
        state.tickets.push(ticket, inner);
        if let Some(record) = state.record_of(ticket) {
            record.ran = ran;
        }
        state.busy = false;
        self.changed.notify_all();
    }

    /// Runs a task after all earlier commands. Their errors are those of the queue; the task runs
    /// all the same, because it may have to release something.
    fn run(&self, task: &mut HostTask, ran: &mut Option<(u64, u64)>) -> Result<Ticket, DriverError> {
        let earlier = self.inner.wait(self.inner.last());
        let start = system::monotonic();
        task();
        *ran = Some((start, system::monotonic()));
        earlier.map(|()| self.inner.last())
    }

    fn depend_now(&self, other: &Arc<Backlog>, ticket: Ticket) -> Result<Ticket, DriverError> {
        let ticket = other.resolve(ticket)?;
        self.inner.depend(&other.inner, ticket)?;
        Ok(self.inner.last())
    }

    /// The driver's ticket of a command, as soon as it was handed to the driver. A host task that
    /// waits for its own queue would wait for ever; once it has returned, its destructor may wait.
    fn resolve(&self, ticket: Ticket) -> Result<Ticket, DriverError> {
        let mut state = lock(&self.state);
        loop {
            self.check_ticket(&state, ticket)?;
            if let Some(inner) = state.tickets.get(ticket) {
                return Ok(inner);
            }
            self.check_process()?;
            if !state.is_worker() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if state.busy {
                return Err(self.failed(SELF_WAIT));
            }
            drop(state);
            self.step();
            state = lock(&self.state);
        }
    }

    /// The driver's ticket of a command; `None` if it is still deferred.
    pub(super) fn resolved(&self, ticket: Ticket) -> Result<Option<Ticket>, DriverError> {
        let state = lock(&self.state);
        self.check_ticket(&state, ticket)?;
        Ok(state.tickets.get(ticket))
    }

    fn check_ticket(&self, state: &State, ticket: Ticket) -> Result<(), DriverError> {
        if ticket.0 <= state.last {
            return Ok(());
        }
        Err(DriverError::UnknownTicket { device: self.device.clone(), ticket: ticket.0, last: state.last })
    }

    #[cold]
    fn failed(&self, reason: &str) -> DriverError {
        DriverError::Asynchronous { device: self.device.clone(), reason: reason.to_owned() }
    }

    /// Waits until the worker has ended, so that nothing of the queue happens after its end. The
    /// worker itself does not wait.
    pub(super) fn join(&self) {
        let mut state = lock(&self.state);
        if state.is_worker() || self.check_process().is_err() {
            return;
        }
        let ended = state.thread.take();
        drop(state);
        if ended.is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("the thread of host tasks panicked");
        }
    }

    pub(super) fn inner(&self) -> &Arc<dyn DriverQueue> {
        &self.inner
    }

    pub(super) fn last(&self) -> Ticket {
        Ticket(lock(&self.state).last)
    }

    /// Makes later commands wait for a ticket of a driver's queue. A driver may block while it
    /// waits for a queue of another one, and then the worker waits.
    pub(super) fn depend(self: &Arc<Self>, other: &Arc<dyn DriverQueue>, ticket: Ticket) -> Result<(), DriverError> {
        let act = move |other: &Arc<dyn DriverQueue>, inner: &dyn DriverQueue| {
            inner.depend(other, ticket)?;
            Ok(inner.last())
        };
        let kind = |queue: &dyn DriverQueue| queue.as_any().map(|any| any.type_id());
        if kind(other.as_ref()) == kind(self.inner.as_ref()) || other.is_complete(ticket)? {
            let later = || -> Call {
                let other = Arc::clone(other);
                Box::new(move |inner| act(&other, inner))
            };
            return self.submit(|inner| act(other, inner), later).map(drop);
        }
        self.check_process()?;
        let (_order, other) = (lock(&self.order), Arc::clone(other));
        self.defer(Action::Call(Some(Box::new(move |inner| act(&other, inner))))).map(drop)
    }

    pub(super) fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        self.resolved(ticket)?.map_or(Ok(false), |inner| self.inner.is_complete(inner))
    }

    /// Waits for a command, and for the last one also for what was handed to the driver while the
    /// queue began to defer.
    pub(super) fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        let inner = self.resolve(ticket)?;
        self.inner.wait(if ticket == self.last() { self.inner.last() } else { inner })?;
        lock(&self.state).errors.pop_front().map_or(Ok(()), Err)
    }

    pub(super) fn enable_profiling(&self) -> Result<(), DriverError> {
        if self.is_profiled {
            return Ok(());
        }
        Err(DriverError::LateProfiling {
            device: self.device.clone(),
            commands: self.last().0.saturating_sub(FIRST) + 1,
        })
    }

    /// Times of a command. Those of a host task are kept here, those of others by the driver.
    pub(super) fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        if !self.is_profiled {
            return Ok(None);
        }
        let inner = self.resolve(ticket)?;
        let known = lock(&self.state).record_of(ticket.0).map(|record| (record.submit, record.ran));
        match known {
            Some((submit, Some((start, end)))) => Ok(Some(Profile { submit, start, end })),
            Some((submit, None)) => Ok(self.inner.profile(inner)?.map(|times| Profile { submit, ..times })),
            None => self.inner.profile(inner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver::{
        Driver,
        recording::{Call as Recorded, RecordingDriver},
    };
    use std::sync::mpsc::channel;

    fn backlog(driver: &RecordingDriver) -> Arc<Backlog> {
        let queue = driver.devices().expect("devices").remove(0).create_queue().expect("queue");
        Arc::new(Backlog::new("recording".to_owned(), queue, false))
    }

    fn waiting_command(backlog: &Arc<Backlog>, driver: &RecordingDriver) -> Ticket {
        let other = driver.devices().expect("devices").remove(0).create_queue().expect("queue");
        backlog.depend(&other, Ticket(0)).expect("depend");
        backlog.last()
    }

    /// The driver gets nothing that follows a host task before the task has returned.
    #[test]
    fn later_commands_stay_here_until_the_task_returns() {
        let driver = RecordingDriver::new();
        let backlog = backlog(&driver);
        let (go, gone) = channel::<()>();
        let task = backlog.host_task(Box::new(move || gone.recv().expect("a sender"))).expect("host task");
        let later = waiting_command(&backlog, &driver);
        let depends = |calls: &[Recorded]| calls.iter().any(|call| matches!(call, Recorded::Depend { .. }));
        assert!(later > task && !depends(&driver.calls()));
        assert!(!backlog.is_complete(later).expect("query"));
        go.send(()).expect("a receiver");
        backlog.wait(later).expect("wait");
        assert!(depends(&driver.calls()));
        backlog.join();
        assert!(backlog.is_complete(task).expect("query"));
    }

    /// A panic is an error of the queue, which stays usable.
    #[test]
    fn a_panic_is_an_asynchronous_error() {
        let driver = RecordingDriver::new();
        let backlog = backlog(&driver);
        let task = backlog.host_task(Box::new(|| panic!("on purpose"))).expect("host task");
        assert!(matches!(backlog.wait(task), Err(DriverError::Asynchronous { .. })));
        let later = waiting_command(&backlog, &driver);
        backlog.wait(later).expect("wait");
    }

    /// The destructor of a task may wait for the commands behind it.
    #[test]
    fn a_dropped_task_may_wait_for_its_queue() {
        struct Waits(Arc<Backlog>, std::sync::mpsc::Sender<bool>);
        impl Drop for Waits {
            fn drop(&mut self) {
                let waited = self.0.wait(self.0.last()).is_ok();
                self.1.send(waited).expect("a receiver");
            }
        }
        let driver = RecordingDriver::new();
        let backlog = backlog(&driver);
        let (go, gone) = channel::<()>();
        let (done, waited) = channel();
        let waits = Waits(Arc::clone(&backlog), done);
        let task = move || {
            let _owned = &waits;
            gone.recv().expect("a sender");
        };
        backlog.host_task(Box::new(task)).expect("host task");
        waiting_command(&backlog, &driver);
        go.send(()).expect("a receiver");
        assert!(waited.recv().expect("an answer"));
    }
}
