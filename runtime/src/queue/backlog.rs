//! Keeps commands of a queue back until the program lets them go.
//!
//! In: host tasks, commands that wait for the program, and whatever follows them in their queue.
//! Out: the same in their order, on a thread. *Invariant:* a command is not handed to the device's
//! driver before the host tasks and the commands before it were; a command that needs one that
//! failed fails, too.
//!
//! So a device never waits for the host, which no driver allows without restrictions: loading code
//! may wait for all that runs, and streams may share a channel of the device. It is also the same
//! on every driver, and a host task may submit to other queues and wait for them.
//!
//! A queue gets one of these with its first such command. The thread exists while commands are kept
//! back, or own something that has to outlive them; otherwise commands go to the driver directly.
#![forbid(unsafe_code)]

use super::{
    errors::Errors,
    tickets::{FIRST, Tickets},
};
use crate::{error::RuntimeError, system};
use sinter_driver::{DriverError, PROFILED_TICKETS, Profile, Queue as DriverQueue, Ticket};
use std::{
    collections::VecDeque,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle, ThreadId},
};

/// Number of failed commands that are remembered for those that depend on them.
const FAILURES: usize = 4096;

/// Reason why a wait of a host task was refused.
const SELF_WAIT: &str = "a host task waits for its own queue, which waits for the host task";

/// A host task: called once, and dropped when its ticket is complete.
pub(crate) type HostTask = Box<dyn FnMut() + Send>;

/// When a function of the program began and ended, if the command has one.
type Ran = Option<(u64, u64)>;

/// The moment at which a command that was kept back goes to the driver.
pub(crate) struct Turn<'a> {
    /// The driver's queue.
    pub(crate) inner: &'a Arc<dyn DriverQueue>,
    /// Error of a dependency. Only host tasks run all the same.
    pub(crate) before: Result<(), RuntimeError>,
    ran: &'a mut Ran,
}

impl Turn<'_> {
    /// Calls a function of the program when everything before it is complete, also if that failed,
    /// because it may have to release something.
    pub(crate) fn call(self, task: &mut HostTask) -> Result<Ticket, RuntimeError> {
        let last = self.inner.last();
        let earlier = self.before.and(self.inner.wait(last).map_err(RuntimeError::from));
        let start = system::monotonic();
        task();
        *self.ran = Some((start, system::monotonic()));
        earlier.map(|()| last)
    }
}

/// A command that is kept back: called once. The driver's ticket is the last one of the command.
pub(crate) type Held = Box<dyn FnMut(Turn<'_>) -> Result<Ticket, RuntimeError> + Send>;

/// The fate of a command after its call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is dropped.
    Command,
    /// It owns something that has to outlive it, and is dropped when it is complete.
    Owner,
    /// Its error is that of the next command.
    Dependency,
}

struct Deferred {
    ticket: u64,
    kind: Kind,
    held: Held,
}

/// Times of a host task, or the submission of a deferred command.
struct Record {
    ticket: u64,
    submit: u64,
    ran: Ran,
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
    /// Commands that own something, with the driver's tickets.
    owners: VecDeque<(Ticket, Held)>,
    /// Error of a dependency of the next command.
    refusal: Option<RuntimeError>,
    failures: VecDeque<(u64, RuntimeError)>,
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

    fn fail(&mut self, ticket: u64, error: RuntimeError) {
        if self.failures.len() == FAILURES {
            self.failures.pop_front();
        }
        self.failures.push_back((ticket, error));
    }

    fn is_worker(&self) -> bool {
        self.worker == Some(thread::current().id())
    }
}

/// The commands of a queue of which some are kept back.
pub(crate) struct Backlog {
    device: String,
    inner: Arc<dyn DriverQueue>,
    process: u32,
    is_profiled: bool,
    errors: Arc<Errors>,
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
    pub(super) fn new(device: String, inner: Arc<dyn DriverQueue>, is_profiled: bool, errors: Arc<Errors>) -> Self {
        let state = State { last: inner.last().0, ..State::default() };
        let (process, state) = (process::id(), Mutex::new(state));
        let (order, changed) = (Mutex::new(()), Condvar::new());
        Backlog { device, inner, process, is_profiled, errors, order, state, changed }
    }

    /// A thread of the parent's does not exist in a forked child.
    fn check_process(&self) -> Result<(), DriverError> {
        if self.process == process::id() {
            return Ok(());
        }
        Err(DriverError::Inherited { device: self.device.clone() })
    }

    /// Runs `task` once the earlier commands are complete, before the later ones.
    pub(super) fn host_task(self: &Arc<Self>, mut task: HostTask) -> Result<Ticket, DriverError> {
        self.hold(Kind::Command, Box::new(move |turn| turn.call(&mut task)))
    }

    /// Keeps a command back until those before it were handed to the driver. The later ones follow.
    pub(crate) fn hold(self: &Arc<Self>, kind: Kind, held: Held) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let _order = lock(&self.order);
        self.defer(kind, held)
    }

    /// Queues a command for the worker, which is started unless it runs. The caller holds `order`.
    fn defer(self: &Arc<Self>, kind: Kind, held: Held) -> Result<Ticket, DriverError> {
        let mut state = lock(&self.state);
        if state.worker.is_none() {
            let thread = self.start()?;
            state.worker = Some(thread.thread().id());
            state.thread = Some(thread);
        }
        let ticket = state.next();
        state.record(ticket);
        state.waiting.push_back(Deferred { ticket, kind, held });
        Ok(Ticket(ticket))
    }

    /// Starts the worker, which begins when the caller unlocks the state.
    fn start(self: &Arc<Self>) -> Result<JoinHandle<()>, DriverError> {
        let own = Arc::clone(self);
        let failed = |source| DriverError::System {
            context: "cannot start a thread for commands that wait for the program".to_owned(),
            source,
        };
        let builder = thread::Builder::new().name("sinter-task".to_owned());
        sinter_signals::while_starting_threads(|| builder.spawn(move || own.work())).map_err(failed)
    }

    /// Hands a command to the driver, at once or later.
    pub(super) fn submit(
        self: &Arc<Self>,
        now: impl FnOnce(&dyn DriverQueue) -> Result<Ticket, DriverError>,
        later: impl FnOnce() -> Held,
    ) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let _order = lock(&self.order);
        if !lock(&self.state).is_direct() {
            return self.defer(Kind::Command, later());
        }
        self.check_refusal()?;
        let inner = now(self.inner.as_ref())?;
        let mut state = lock(&self.state);
        let ticket = state.next();
        state.tickets.push(ticket, inner);
        Ok(Ticket(ticket))
    }

    fn check_refusal(&self) -> Result<(), DriverError> {
        let refusal = lock(&self.state).refusal.take();
        refusal.map_or(Ok(()), |error| Err(self.failed(&error.to_string())))
    }

    fn work(self: Arc<Self>) {
        loop {
            if self.step() || self.release() {
                continue;
            }
            let mut state = lock(&self.state);
            if state.waiting.is_empty() && state.owners.is_empty() {
                state.worker = None;
                return self.changed.notify_all();
            }
        }
    }

    /// Runs the first deferred command, if there is one. A host task is dropped once its ticket is
    /// complete: its destructor may wait for the queue, or give it up.
    fn step(&self) -> bool {
        let Some((mut first, before)) = self.take() else { return false };
        let mut ran = None;
        let turn = Turn { inner: &self.inner, before, ran: &mut ran };
        let result = catch_unwind(AssertUnwindSafe(|| (first.held)(turn)))
            .unwrap_or_else(|_| Err(self.failed("a thread panicked while it ran the command").into()));
        self.finish(first, result, ran);
        true
    }

    fn take(&self) -> Option<(Deferred, Result<(), RuntimeError>)> {
        let mut state = lock(&self.state);
        let first = state.waiting.pop_front()?;
        state.busy = true;
        let refusal = if first.kind == Kind::Dependency { None } else { state.refusal.take() };
        Some((first, refusal.map_or(Ok(()), Err)))
    }

    fn finish(&self, first: Deferred, result: Result<Ticket, RuntimeError>, ran: Ran) {
        let Deferred { ticket, kind, held } = first;
        let mut state = lock(&self.state);
        let inner = result.unwrap_or_else(|error| {
            if kind == Kind::Dependency {
                state.refusal.get_or_insert(error);
            } else {
                self.errors.add(error.clone());
                state.fail(ticket, error);
            }
            self.inner.last()
        });
        state.tickets.push(ticket, inner);
        if let Some(record) = state.record_of(ticket) {
            record.ran = ran;
        }
        state.busy = false;
        self.changed.notify_all();
        if kind == Kind::Owner {
            state.owners.push_back((inner, held));
        } else {
            drop(state);
            drop(held);
        }
    }

    /// Waits for the first command that owns something, and drops it.
    fn release(&self) -> bool {
        let Some(ticket) = lock(&self.state).owners.front().map(|(ticket, _)| *ticket) else { return false };
        if let Err(error) = self.inner.wait(ticket) {
            self.errors.add(error.into());
        }
        self.drop_owners(ticket);
        true
    }

    /// Drops what complete commands own. A waiter does so too, so that nothing is left when it
    /// returns.
    fn drop_owners(&self, complete: Ticket) {
        let first = || {
            let mut state = lock(&self.state);
            let is_complete = state.owners.front().is_some_and(|(ticket, _)| *ticket <= complete);
            if is_complete { state.owners.pop_front() } else { None }
        };
        while let Some(owner) = first() {
            drop(owner);
        }
    }

    /// The driver's ticket of a command, as soon as it was handed to the driver. A host task that
    /// waits for its own queue would wait for ever; once it has returned, its destructor may wait.
    pub(crate) fn resolve(&self, ticket: Ticket) -> Result<Ticket, DriverError> {
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

    /// Refuses a wait of the host task that runs now.
    pub(super) fn check_waiter(&self) -> Result<(), DriverError> {
        let state = lock(&self.state);
        if state.busy && state.is_worker() { Err(self.failed(SELF_WAIT)) } else { Ok(()) }
    }

    /// The driver's ticket of a command; `None` if it is still kept back.
    pub(crate) fn resolved(&self, ticket: Ticket) -> Result<Option<Ticket>, DriverError> {
        let state = lock(&self.state);
        self.check_ticket(&state, ticket)?;
        Ok(state.tickets.get(ticket))
    }

    /// Error of a command that failed when it went to the driver, for those that need its results.
    pub(crate) fn failure(&self, Ticket(ticket): Ticket) -> Option<RuntimeError> {
        let state = lock(&self.state);
        let place = state.failures.binary_search_by_key(&ticket, |(failed, _)| *failed).ok()?;
        state.failures.get(place).map(|(_, error)| RuntimeError::Depends { cause: Arc::new(error.clone()) })
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
        let ended = mem::take(&mut state.thread);
        drop(state);
        if ended.is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("the thread of host tasks panicked");
        }
    }

    /// True if nothing is kept back, and nothing is owned by commands.
    pub(crate) fn is_idle(&self) -> bool {
        lock(&self.state).worker.is_none()
    }

    /// True if a command that is submitted now goes to the driver directly, whatever precedes it.
    pub(super) fn is_direct(&self) -> bool {
        let state = lock(&self.state);
        state.is_direct() && state.refusal.is_none()
    }

    pub(crate) fn inner(&self) -> &Arc<dyn DriverQueue> {
        &self.inner
    }

    pub(crate) fn last(&self) -> Ticket {
        Ticket(lock(&self.state).last)
    }

    /// Makes later commands wait for a ticket of a driver's queue. A driver may block while it
    /// waits for a queue of another one, and then the worker waits.
    pub(super) fn depend(self: &Arc<Self>, other: &Arc<dyn DriverQueue>, ticket: Ticket) -> Result<(), DriverError> {
        let act = move |other: &Arc<dyn DriverQueue>, inner: &dyn DriverQueue| {
            inner.depend(other, ticket)?;
            Ok(inner.last())
        };
        let later = || -> Held {
            let other = Arc::clone(other);
            Box::new(move |turn| Ok(act(&other, turn.inner.as_ref())?))
        };
        let kind = |queue: &dyn DriverQueue| queue.as_any().map(|any| any.type_id());
        if kind(other.as_ref()) != kind(self.inner.as_ref()) && !other.is_complete(ticket)? {
            return self.hold(Kind::Dependency, later()).map(drop);
        }
        self.check_process()?;
        let _order = lock(&self.order);
        if !lock(&self.state).is_direct() {
            return self.defer(Kind::Dependency, later()).map(drop);
        }
        let inner = act(other, self.inner.as_ref())?;
        let mut state = lock(&self.state);
        let ticket = state.next();
        state.tickets.push(ticket, inner);
        Ok(())
    }

    pub(super) fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        self.resolved(ticket)?.map_or(Ok(false), |inner| self.inner.is_complete(inner))
    }

    /// Waits for a command, and for the last one also for what was handed to the driver while the
    /// queue began to defer. Errors of commands that were kept back are left to the queue.
    pub(super) fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        let inner = self.resolve(ticket)?;
        self.inner.wait(if ticket == self.last() { self.inner.last() } else { inner })?;
        self.drop_owners(inner);
        Ok(())
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
        Arc::new(Backlog::new("recording".to_owned(), queue, false, Arc::default()))
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
        backlog.wait(task).expect("wait");
        assert!(backlog.errors.take().is_err() && backlog.errors.take().is_ok());
        assert!(backlog.failure(task).is_some());
        let later = waiting_command(&backlog, &driver);
        backlog.wait(later).expect("wait");
    }

    /// Errors of dependencies are those of the next command, and the one after that runs.
    #[test]
    fn a_failed_dependency_refuses_one_command() {
        let driver = RecordingDriver::new();
        let backlog = backlog(&driver);
        let (go, gone) = channel::<()>();
        backlog.host_task(Box::new(move || gone.recv().expect("a sender"))).expect("host task");
        let fail = Box::new(|_: Turn<'_>| Err(RuntimeError::invalid("dependency", "failed on purpose")));
        let (refused, ran) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(0)));
        backlog.hold(Kind::Dependency, fail).expect("dependency");
        let mut tickets = Vec::new();
        for _ in 0..2 {
            let (refused, ran) = (Arc::clone(&refused), Arc::clone(&ran));
            let command = Box::new(move |turn: Turn<'_>| {
                lock(&refused).push(turn.before.is_err());
                turn.before?;
                *lock(&ran) += 1;
                Ok(turn.inner.last())
            });
            tickets.push(backlog.hold(Kind::Command, command).expect("command"));
        }
        go.send(()).expect("a receiver");
        backlog.wait(tickets[1]).expect("wait");
        assert_eq!((&**lock(&refused), *lock(&ran)), (&[true, false][..], 1));
        assert!(backlog.failure(tickets[0]).is_some() && backlog.failure(tickets[1]).is_none());
        assert!(backlog.errors.take().is_err() && backlog.errors.take().is_ok());
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
