//! Runs the commands of one queue in order.
//!
//! In: work and dependencies. Out: completed tickets. *Invariant:* at most one thread, or one job,
//! has the role of running the queue's commands ([`Role`]); it completes commands, passes the role
//! on, or gives it up when there are none. Nothing is called while the state is locked, and no two
//! states are locked at once.
//!
//! A thread that waits for a ticket takes the role, or part in a running job, wherever it can, so
//! that a wait needs no thread switch. A dependency that is not complete parks the role: the queue
//! that it depends on resumes it. A queue of another driver is waited for on a separate thread.

use crate::{
    job::{Job, Part, SPLIT_FROM},
    pool::Pool,
    times::Times,
    work::Work,
};
use sinter_driver::{DriverError, Profile, Queue, Ticket};
use sinter_driver_common::fork::Generation;
use std::{
    collections::VecDeque,
    hint,
    mem::ManuallyDrop,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

/// Largest number of pending commands; a submitter blocks while there are as many.
const CAPACITY: usize = 1024;
/// Number of times that a waiter polls before it sleeps: a few microseconds.
const SPINS: u32 = 100;

/// State of the role of running the queue's commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Role {
    /// Nobody has it, because there are no commands.
    #[default]
    Idle,
    /// A thread has it, or the job in [`State::job`].
    Running,
    /// The pool will take it soon; any other thread may take it first.
    Handed,
    /// Nobody has it until the dependency with this serial number is complete.
    Parked(u64),
}

/// A queue that a command depends on.
pub(crate) enum Source {
    /// A queue of this driver.
    Own(Arc<Timeline>),
    /// A queue of another driver.
    Foreign(Arc<dyn Queue>),
}

#[expect(clippy::large_enum_variant, reason = "nearly all commands are work, and a box each would cost an allocation")]
enum Command {
    Work(u64, Work),
    Depend(Source, u64),
    /// A dependency that was waited for: only its ticket has to be completed.
    Passed(u64),
}

/// A parked queue that waits for a ticket of another one.
struct Dependent {
    ticket: u64,
    timeline: Arc<Timeline>,
    serial: u64,
}

#[derive(Default)]
struct State {
    role: Role,
    pending: VecDeque<Command>,
    /// The job that has the role.
    job: Option<(u64, Arc<Job>)>,
    /// The queue and ticket that a parked role waits for, unless the queue is another driver's.
    parked_on: Option<(Arc<Timeline>, u64)>,
    serial: u64,
    /// Parked queues that wait for tickets of this queue.
    dependents: Vec<Dependent>,
    /// The lowest ticket that a sleeping thread waits for, if any sleeps.
    wake_at: Option<u64>,
    /// True while submitters sleep until there is room.
    crowded: bool,
    error: Option<DriverError>,
    /// Present if profiling is enabled.
    times: Option<Times>,
}

/// The commands of one queue.
pub(crate) struct Timeline {
    device: String,
    pool: Arc<Pool>,
    state: Mutex<State>,
    changed: Condvar,
    room: Condvar,
    submitted: AtomicU64,
    completed: AtomicU64,
    failed: AtomicBool,
    /// True if [`State::times`] is present; set before the first command.
    profiled: AtomicBool,
    generation: Generation,
}

/// Work that a waiting thread can do for the queue.
enum Chance {
    Run,
    Join(u64, Arc<Job>),
    WaitFor(Arc<Timeline>, u64, u64),
    Sleep,
}

impl Timeline {
    pub(crate) fn new(device: String, pool: Arc<Pool>) -> Arc<Self> {
        Arc::new(Timeline {
            device,
            pool,
            state: Mutex::default(),
            changed: Condvar::new(),
            room: Condvar::new(),
            submitted: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            profiled: AtomicBool::new(false),
            generation: Generation::now(),
        })
    }

    /// Ignores poisoning: none of our code panics under the lock, and the state would still be
    /// consistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True in a child of the process that created the queue. The threads that would run its
    /// commands do not exist there, and one of them may hold the lock.
    #[inline]
    pub(crate) fn is_inherited(&self) -> bool {
        !self.generation.is_current()
    }

    pub(crate) fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    pub(crate) fn is_complete(&self, ticket: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= ticket
    }

    /// Takes the error that a command left.
    pub(crate) fn take_error(&self) -> Option<DriverError> {
        if !self.failed.swap(false, Ordering::Acquire) {
            return None;
        }
        self.lock().error.take()
    }

    fn fail(&self, reason: String) {
        self.lock().error.get_or_insert(DriverError::Asynchronous { device: self.device.clone(), reason });
        self.failed.store(true, Ordering::Release);
    }

    // ---- Profiling.

    /// Records times from now on. Fails with the number of commands if any were submitted.
    pub(crate) fn enable_profiling(&self) -> Result<(), u64> {
        let mut state = self.lock();
        match (&state.times, self.submitted()) {
            (None, 0) => state.times = Some(Times::default()),
            (None, commands) => return Err(commands),
            (Some(_), _) => {}
        }
        self.profiled.store(true, Ordering::Release);
        Ok(())
    }

    pub(crate) fn is_profiled(&self) -> bool {
        self.profiled.load(Ordering::Relaxed)
    }

    /// The times of a complete ticket.
    pub(crate) fn profile(&self, ticket: u64) -> Option<Profile> {
        self.lock().times.as_ref()?.get(ticket)
    }

    /// Records that this thread starts a command, if profiling is enabled.
    #[inline]
    pub(crate) fn mark_start(&self, ticket: u64) {
        if self.is_profiled() {
            self.record_start(ticket);
        }
    }

    #[cold]
    fn record_start(&self, ticket: u64) {
        if let Some(times) = &mut self.lock().times {
            times.started(ticket);
        }
    }

    // ---- Submitting.

    /// Takes the role for a new command if the queue is idle.
    pub(crate) fn begin(self: &Arc<Self>) -> Option<Turn<'_>> {
        let mut state = self.lock();
        if state.role != Role::Idle {
            return None;
        }
        state.role = Role::Running;
        Some(Turn { timeline: self, ticket: self.next_ticket(&mut state) })
    }

    fn next_ticket(&self, state: &mut State) -> u64 {
        let ticket = self.submitted.fetch_add(1, Ordering::AcqRel) + 1;
        if let Some(times) = &mut state.times {
            times.submitted(ticket);
        }
        ticket
    }

    /// Completes a command and gives up the role.
    fn end(self: &Arc<Self>, ticket: u64) {
        let mut state = self.lock();
        let ready = self.complete(&mut state, ticket);
        let more = !state.pending.is_empty();
        state.role = if more { Role::Handed } else { Role::Idle };
        drop(state);
        if more {
            self.call_pool();
        }
        wake_dependents(ready);
    }

    /// Adds work after the other commands. Blocks while there are too many.
    pub(crate) fn enqueue(self: &Arc<Self>, work: Work) -> Ticket {
        let mut state = self.lock_with_room();
        let ticket = self.next_ticket(&mut state);
        state.pending.push_back(Command::Work(ticket, work));
        self.release_to_pool(state);
        Ticket(ticket)
    }

    /// Makes later commands wait for `ticket` of `source`. Blocks while there are too many
    /// commands.
    ///
    /// The dependency takes a ticket of this queue: a wait for the queue's last ticket includes it,
    /// even if no command follows.
    pub(crate) fn depend(self: &Arc<Self>, source: Source, Ticket(ticket): Ticket) {
        let mut state = self.lock_with_room();
        let own = self.next_ticket(&mut state);
        state.pending.push_back(Command::Depend(source, ticket));
        state.pending.push_back(Command::Passed(own));
        self.release_to_pool(state);
    }

    fn lock_with_room(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while state.pending.len() >= CAPACITY {
            state.crowded = true;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Hands the role to the pool if nobody has it.
    fn release_to_pool(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        if state.role == Role::Idle {
            state.role = Role::Handed;
            drop(state);
            self.call_pool();
        }
    }

    fn call_pool(self: &Arc<Self>) {
        let timeline = Arc::clone(self);
        self.pool.spawn(move || {
            if timeline.take_handed() {
                timeline.advance(u64::MAX);
            }
        });
    }

    fn take_handed(&self) -> bool {
        let mut state = self.lock();
        let handed = state.role == Role::Handed;
        if handed {
            state.role = Role::Running;
        }
        handed
    }

    // ---- Running. The methods from here to `unpark` are called by the thread that has the role.

    /// Runs commands until there are none, the role was passed on or, with commands left, ticket
    /// `until` is complete.
    fn advance(self: &Arc<Self>, until: u64) {
        while let Some(command) = self.next_command(until) {
            let kept = match command {
                Command::Work(ticket, work) => self.run(ticket, work),
                Command::Depend(source, ticket) => self.pass(source, ticket),
                Command::Passed(ticket) => {
                    self.conclude(ticket);
                    true
                }
            };
            if !kept {
                return;
            }
        }
    }

    fn next_command(self: &Arc<Self>, until: u64) -> Option<Command> {
        let mut state = self.lock();
        if self.is_complete(until) || state.pending.is_empty() {
            state.role = Role::Idle;
            if !state.pending.is_empty() {
                self.release_to_pool(state);
            }
            return None;
        }
        let command = state.pending.pop_front();
        if state.crowded && state.pending.len() <= CAPACITY / 2 {
            state.crowded = false;
            self.room.notify_all();
        }
        command
    }

    /// Runs work. Returns true if this thread still has the role.
    fn run(self: &Arc<Self>, ticket: u64, work: Work) -> bool {
        let units = work.units();
        if units > 0 && work.estimate() > SPLIT_FROM {
            let job = self.publish(ticket, work, 0);
            return self.take_part(&job, ticket);
        }
        let turn = Turn { timeline: self, ticket };
        if units > 0 {
            self.mark_start(ticket);
            let start = Instant::now();
            // SAFETY: the submitter guarantees the memory, and only this thread took the command
            // off the queue.
            unsafe { work.run(0, units) };
            work.learn(units, start.elapsed());
            work.release_scratch();
        }
        self.conclude(turn.keep());
        true
    }

    /// Turns work into a job, which gets the role, for the pool and waiters to take part in.
    fn publish(self: &Arc<Self>, ticket: u64, work: Work, first: u64) -> Arc<Job> {
        let job = Arc::new(Job::new(work, first, self.pool.threads()));
        self.lock().job = Some((ticket, Arc::clone(&job)));
        let (timeline, shared) = (Arc::clone(self), Arc::clone(&job));
        self.pool.spread(job.slots(), move || {
            if timeline.take_part(&shared, ticket) {
                timeline.advance(u64::MAX);
            }
        });
        job
    }

    /// Takes part in a job. Returns true if this thread got the role because it finished last.
    fn take_part(self: &Arc<Self>, job: &Job, ticket: u64) -> bool {
        self.mark_start(ticket);
        // A waiter claims slot 0, which belongs to the pool's thread 0; that thread then leaves the
        // job alone.
        let last = job.join(self.pool.index().unwrap_or(0)) == Part::Last;
        if last {
            self.conclude(ticket);
        }
        last
    }

    /// Completes a command.
    fn conclude(&self, ticket: u64) {
        let mut state = self.lock();
        state.job = None;
        let ready = self.complete(&mut state, ticket);
        drop(state);
        wake_dependents(ready);
    }

    /// Marks a ticket complete. The caller wakes the returned queues after unlocking the state.
    fn complete(&self, state: &mut State, ticket: u64) -> Vec<Dependent> {
        if let Some(times) = &mut state.times {
            times.ended(ticket);
        }
        self.completed.store(ticket, Ordering::Release);
        if state.wake_at.is_some_and(|lowest| ticket >= lowest) {
            state.wake_at = None;
            self.changed.notify_all();
        }
        if state.dependents.is_empty() {
            return Vec::new();
        }
        state.dependents.extract_if(.., |dependent| dependent.ticket <= ticket).collect()
    }

    /// Processes a dependency. Returns true if this thread still has the role.
    fn pass(self: &Arc<Self>, source: Source, ticket: u64) -> bool {
        match source {
            Source::Own(other) => self.pass_own(&other, ticket),
            Source::Foreign(other) => self.pass_foreign(other, ticket),
        }
    }

    fn pass_own(self: &Arc<Self>, other: &Arc<Timeline>, ticket: u64) -> bool {
        if other.is_complete(ticket) {
            return true;
        }
        let serial = self.park(Some((Arc::clone(other), ticket)));
        let dependent = Dependent { ticket, timeline: Arc::clone(self), serial };
        !other.add_dependent(dependent) && self.unpark(serial)
    }

    fn pass_foreign(self: &Arc<Self>, other: Arc<dyn Queue>, ticket: u64) -> bool {
        if matches!(other.is_complete(Ticket(ticket)), Ok(true)) {
            return true;
        }
        let (timeline, serial) = (Arc::clone(self), self.park(None));
        let (waited, shared) = (Arc::clone(&other), Arc::clone(self));
        let waiter = move || {
            if timeline.await_foreign(&*waited, ticket, serial) {
                timeline.advance(u64::MAX);
            }
        };
        let builder = thread::Builder::new().name("sinter-host-wait".to_owned());
        let spawned = sinter_signals::while_starting_threads(|| builder.spawn(waiter));
        // If no thread can be started, this one has to wait.
        spawned.is_err() && shared.await_foreign(&*other, ticket, serial)
    }

    fn await_foreign(&self, other: &dyn Queue, ticket: u64, serial: u64) -> bool {
        if let Err(error) = other.wait(Ticket(ticket)) {
            self.fail(format!("a command of another queue that it depends on failed: {error}"));
        }
        self.unpark(serial)
    }

    /// Gives up the role until a dependency is complete.
    fn park(&self, on: Option<(Arc<Timeline>, u64)>) -> u64 {
        let mut state = self.lock();
        state.serial += 1;
        state.role = Role::Parked(state.serial);
        state.parked_on = on;
        state.serial
    }

    /// Takes the role back, unless another thread has it. `serial` identifies the parking.
    fn unpark(&self, serial: u64) -> bool {
        let mut state = self.lock();
        let parked = state.role == Role::Parked(serial);
        if parked {
            state.role = Role::Running;
            state.parked_on = None;
        }
        parked
    }

    /// Registers a queue that waits for a ticket. Returns false if the ticket is complete.
    fn add_dependent(&self, dependent: Dependent) -> bool {
        let mut state = self.lock();
        let waits = !self.is_complete(dependent.ticket);
        if waits {
            state.dependents.push(dependent);
        }
        waits
    }

    // ---- Waiting.

    /// Blocks until a ticket is complete, and helps to complete it.
    pub(crate) fn wait(self: &Arc<Self>, ticket: u64) {
        while !self.is_complete(ticket) {
            match self.chance() {
                Chance::Run => self.advance(ticket),
                Chance::Join(running, job) => {
                    if self.take_part(&job, running) {
                        self.advance(ticket);
                    }
                }
                Chance::WaitFor(other, theirs, serial) => {
                    other.wait(theirs);
                    if self.unpark(serial) {
                        self.advance(ticket);
                    }
                }
                Chance::Sleep => self.sleep(ticket),
            }
        }
    }

    fn chance(&self) -> Chance {
        let mut state = self.lock();
        match (state.role, &state.job, &state.parked_on) {
            (Role::Handed, ..) => {
                state.role = Role::Running;
                Chance::Run
            }
            (Role::Running, Some((ticket, job)), _) if job.is_free(0) => Chance::Join(*ticket, Arc::clone(job)),
            (Role::Parked(serial), _, Some((other, ticket))) => Chance::WaitFor(Arc::clone(other), *ticket, serial),
            _ => Chance::Sleep,
        }
    }

    /// Sleeps until a ticket is complete, after polling for a moment.
    fn sleep(&self, ticket: u64) {
        for _ in 0..SPINS {
            if self.is_complete(ticket) {
                return;
            }
            hint::spin_loop();
        }
        let mut state = self.lock();
        if !self.is_complete(ticket) {
            state.wake_at = Some(state.wake_at.map_or(ticket, |lowest| lowest.min(ticket)));
            drop(self.changed.wait(state).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// The role, on the thread that runs one command. Dropping it completes the command and gives up
/// the role, also when the thread panics, so that the queue never stalls.
pub(crate) struct Turn<'a> {
    timeline: &'a Arc<Timeline>,
    ticket: u64,
}

impl Turn<'_> {
    pub(crate) fn ticket(&self) -> Ticket {
        Ticket(self.ticket)
    }

    /// Returns the ticket, which the caller must complete.
    fn keep(self) -> u64 {
        ManuallyDrop::new(self).ticket
    }

    /// Divides the units of the command from `first` on among the pool, which gets the role.
    pub(crate) fn split(self, work: Work, first: u64) {
        let timeline = self.timeline;
        timeline.publish(self.keep(), work, first);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.timeline.fail("a thread panicked while it ran the command".to_owned());
        }
        self.timeline.end(self.ticket);
    }
}

fn wake_dependents(ready: Vec<Dependent>) {
    for Dependent { timeline, serial, .. } in ready {
        let mut state = timeline.lock();
        if state.role == Role::Parked(serial) {
            state.role = Role::Idle;
            state.parked_on = None;
            timeline.release_to_pool(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_leaves_the_queue_usable() {
        let timeline = Timeline::new("test".to_owned(), Arc::new(Pool::new(Some(1), Default::default())));
        let panicking = AssertUnwindSafe(|| {
            let _turn = timeline.begin();
            panic!("on purpose");
        });
        assert!(catch_unwind(panicking).is_err());
        assert!(timeline.is_complete(1));
        assert!(matches!(timeline.take_error(), Some(DriverError::Asynchronous { .. })));
        assert_eq!(timeline.begin().map(|turn| turn.ticket()), Some(Ticket(2)));
    }
}
