//! Threads for work that no launch waits for.
//!
//! In: jobs, each with an owner and an importance that may change. Out: their effects, the most
//! important first. Jobs for kernels that are in use, or may be, run on threads like those of the
//! program, jobs for values on threads that run only where a CPU is idle. *Invariant:* nobody waits
//! for such a thread for long, because it may get no CPU: a process ends at any time, jobs that
//! nobody has begun go with their owner, and [`Background::wait`] does again what a thread does not
//! finish, unless it may never be needed.
//! Threads end when there is no job for them, so that a process without jobs has none. A forked
//! child begins without jobs and threads.
#![forbid(unsafe_code)]

use crate::{
    forks::{self, ForkSafe},
    system, trace,
};
use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// CPUs for one thread that works for a kernel in use, and the largest number of threads.
const CPUS_OF_THREAD: usize = 4;
const MOST_THREADS: usize = 4;
/// Upper bound in bytes on the address space of a thread. Rust ends the process if an allocation of
/// a new thread fails.
const ROOM: usize = 4 << 20;

/// The time after which those who wait do a job that a thread has begun.
const PATIENCE: Duration = Duration::from_millis(100);
/// The longest time for which they wait for one that may never be needed.
const PATIENCE_FOR_GUESSES: Duration = Duration::from_secs(10);
/// The longest time for which jobs for kernels in use leave the CPUs to guesses.
const HOLD: Duration = Duration::from_millis(50);

/// The thread that does a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worker {
    /// One of the background, which may take any time.
    Background,
    /// One that waits for the result.
    Waiting,
}

/// The use of a job. Those of later variants come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// For values that launches of a kernel repeat.
    Value,
    /// For a kernel that was launched.
    Use,
    /// For a kernel that may be launched soon: the launch would wait for it.
    Guess,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Purpose::Value => "values that launches repeat",
            Purpose::Use => "kernels in use",
            Purpose::Guess => "kernels that may be launched",
        }
    }

    /// Does work for it on a thread of the background, of which forks know.
    fn guarded<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            Purpose::Value => forks::where_idle(work),
            Purpose::Use | Purpose::Guess => forks::after_forks(work),
        }
    }

    /// Name of the threads for it.
    fn thread(self) -> &'static str {
        match self {
            Purpose::Value => "sinter-values",
            Purpose::Use => "sinter-upgrade",
            Purpose::Guess => "sinter-ahead",
        }
    }

    /// The largest number of threads for it. One CPU is left to the program.
    fn most_threads(self) -> usize {
        let threads = match self {
            Purpose::Value | Purpose::Use => system::cpus() / CPUS_OF_THREAD,
            Purpose::Guess => system::cpus() - 1,
        };
        threads.clamp(1, MOST_THREADS)
    }
}

/// Work to be done. Two threads may do it at the same time, with one effect.
pub(crate) struct Job {
    /// Address of what the work is for.
    pub(crate) owner: usize,
    pub(crate) purpose: Purpose,
    /// Is asked when a thread is free: the highest number comes first.
    pub(crate) importance: Box<dyn Fn() -> u64 + Send + Sync>,
    /// Threads of the background leave it alone for so long.
    pub(crate) delay: Duration,
    /// Does the work. A thread that waits must not wait for one of the background in turn.
    pub(crate) run: Box<dyn Fn(Worker) + Send + Sync>,
}

impl Job {
    /// A job for values that launches repeat, or another one that may wait for an idle CPU.
    pub(crate) fn for_values(owner: usize, run: impl Fn(Worker) + Send + Sync + 'static) -> Self {
        let (importance, delay) = (Box::new(|| 0), Duration::ZERO);
        Job { owner, purpose: Purpose::Value, importance, delay, run: Box::new(run) }
    }
}

/// A job that was submitted.
struct Submitted {
    job: Job,
    /// The end of its delay.
    due: Instant,
}

#[derive(Default)]
struct State {
    jobs: Vec<Arc<Submitted>>,
    /// Jobs that threads are doing.
    running: Vec<Arc<Submitted>>,
    /// Threads for each purpose.
    threads: [usize; 3],
    /// Somebody has waited: nothing is done any more that may never be needed.
    is_quiet: bool,
}

impl State {
    fn of(&self, purpose: Purpose) -> impl Iterator<Item = &Arc<Submitted>> {
        self.jobs.iter().filter(move |one| one.job.purpose == purpose)
    }

    /// True if threads for this purpose leave the CPUs to those for kernels that launches may wait
    /// for soon.
    fn is_held(&self, purpose: Purpose) -> bool {
        let (guesses, now) = (self.threads[Purpose::Guess as usize], Instant::now());
        let is_recent = || self.of(purpose).all(|one| one.due + HOLD > now);
        purpose == Purpose::Use && guesses > 0 && guesses + 1 >= system::cpus() && is_recent()
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Jobs and their threads.
pub(crate) struct Background {
    /// With the process that they belong to.
    shared: ForkSafe<Mutex<(u32, Arc<Shared>)>>,
}

/// A poisoned lock means that a thread panicked; the values are changed by whole steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    pub(crate) fn new() -> Self {
        Background { shared: ForkSafe::new(Mutex::new((process::id(), Arc::default()))) }
    }

    /// The jobs of this process.
    fn shared(&self) -> Arc<Shared> {
        self.shared.with(|shared| {
            let mut shared = lock(shared);
            if shared.0 != process::id() {
                // The parent's locks may be held by threads that do not exist here.
                mem::forget(mem::replace(&mut *shared, (process::id(), Arc::default())));
            }
            Arc::clone(&shared.1)
        })
    }

    /// Queues a job. If the system refuses a thread, it is done by whoever waits, or never.
    pub(crate) fn submit(&self, job: Job) {
        let shared = self.shared();
        let mut state = lock(&shared.state);
        let (due, purpose) = (Instant::now() + job.delay, job.purpose);
        if purpose == Purpose::Guess && state.is_quiet {
            return;
        }
        state.jobs.push(Arc::new(Submitted { job, due }));
        shared.changed.notify_all();
        let is_for_it = |one: &&Arc<Submitted>| one.job.purpose == purpose;
        let jobs = state.jobs.iter().chain(&state.running).filter(is_for_it).count();
        if state.threads[purpose as usize] >= purpose.most_threads().min(jobs) {
            return;
        }
        if !system::has_address_space(ROOM) {
            tracing::warn!("no address space for a thread of the background: a kernel keeps the code that it has");
            return;
        }
        let (own, builder) = (Arc::clone(&shared), thread::Builder::new().name(purpose.thread().to_owned()));
        match sinter_signals::while_starting_threads(|| builder.spawn(move || own.work(purpose))) {
            Ok(_) => state.threads[purpose as usize] += 1,
            Err(error) => tracing::warn!(%error, "no thread for the background: a kernel keeps the code that it has"),
        }
    }

    /// Drops the jobs of an owner that nobody has begun.
    pub(crate) fn cancel(&self, owner: usize) {
        let shared = self.shared();
        let dropped: Vec<_> = lock(&shared.state).jobs.extract_if(.., |one| one.job.owner == owner).collect();
        // Outside the lock, because jobs own kernels, and unloading one runs code of the driver.
        drop(dropped);
    }

    /// Does the jobs for kernels in use and for values that nobody has begun, and those that other
    /// threads do not finish soon. Afterwards nothing is done for kernels that may be launched.
    pub(crate) fn wait(&self) {
        let shared = self.shared();
        drop(shared.drop_guesses());
        while shared.do_one(None) {}
        shared.unfinished().iter().for_each(|one| do_job(&one.job, Worker::Waiting));
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let shared = self.shared();
        let dropped = mem::take(&mut lock(&shared.state).jobs);
        shared.changed.notify_all();
        drop(dropped);
    }
}

fn do_job(job: &Job, worker: Worker) {
    if catch_unwind(AssertUnwindSafe(|| (job.run)(worker))).is_err() {
        tracing::error!("a thread of the background panicked");
    }
}

impl Submitted {
    fn is_due(&self) -> bool {
        self.due <= Instant::now()
    }

    fn work(&self, worker: Worker) {
        let _span = trace::span("background", || [("for", self.job.purpose.name().to_owned())]);
        do_job(&self.job, worker);
    }
}

impl Shared {
    fn work(&self, purpose: Purpose) {
        if purpose == Purpose::Value {
            system::yield_to_others();
        }
        loop {
            while purpose.guarded(|| self.do_one(Some(purpose))) {}
            let mut state = lock(&self.state);
            if state.is_held(purpose) {
                drop(self.changed.wait_timeout(state, HOLD).unwrap_or_else(PoisonError::into_inner));
                continue;
            }
            let Some(due) = state.of(purpose).map(|one| one.due).min() else {
                state.threads[purpose as usize] -= 1;
                return self.changed.notify_all();
            };
            let left = due.saturating_duration_since(Instant::now());
            drop(self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Does the most important job that is due for a thread of this purpose, or for one that waits.
    /// False if there is none.
    fn do_one(&self, purpose: Option<Purpose>) -> bool {
        let mut state = lock(&self.state);
        if purpose.is_some_and(|purpose| state.is_held(purpose)) {
            return false;
        }
        let is_for_it = |one: &Submitted| match purpose {
            Some(purpose) => one.job.purpose == purpose && one.is_due(),
            None => one.job.purpose != Purpose::Guess,
        };
        let rank = |one: &Submitted| (one.job.purpose, (one.job.importance)());
        let fitting = (0..state.jobs.len()).filter(|index| is_for_it(&state.jobs[*index]));
        let most = fitting.max_by_key(|index| rank(&state.jobs[*index]));
        let Some(most) = most else { return false };
        let one = state.jobs.swap_remove(most);
        state.running.push(Arc::clone(&one));
        drop(state);
        one.work(if purpose.is_some() { Worker::Background } else { Worker::Waiting });
        lock(&self.state).running.retain(|running| !Arc::ptr_eq(running, &one));
        self.changed.notify_all();
        true
    }

    /// The guesses that nobody has begun. No further one is taken.
    fn drop_guesses(&self) -> Vec<Arc<Submitted>> {
        let mut state = lock(&self.state);
        state.is_quiet = true;
        state.jobs.extract_if(.., |one| one.job.purpose == Purpose::Guess).collect()
    }

    /// The jobs that other threads are still doing after a while. Guesses are waited for instead.
    fn unfinished(&self) -> Vec<Arc<Submitted>> {
        let is_guess = |one: &Arc<Submitted>| one.job.purpose == Purpose::Guess;
        let state = self.while_running(PATIENCE, |one| !is_guess(one));
        let unfinished = state.running.iter().filter(|one| !is_guess(one)).cloned().collect();
        drop(state);
        drop(self.while_running(PATIENCE_FOR_GUESSES, is_guess));
        unfinished
    }

    /// Waits while jobs of a kind run, but not for long.
    fn while_running(&self, patience: Duration, is_meant: impl Fn(&Arc<Submitted>) -> bool) -> MutexGuard<'_, State> {
        let runs = |state: &mut State| state.running.iter().any(&is_meant);
        let waited = self.changed.wait_timeout_while(lock(&self.state), patience, runs);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn job(owner: usize, importance: u64, run: impl Fn(Worker) + Send + Sync + 'static) -> Job {
        let (importance, delay) = (Box::new(move || importance), Duration::ZERO);
        Job { owner, purpose: Purpose::Use, importance, delay, run: Box::new(run) }
    }

    /// Keeps all threads busy until the result is dropped.
    fn occupy(background: &Background) -> Vec<mpsc::Sender<()>> {
        occupy_for(background, Purpose::Use)
    }

    fn occupy_for(background: &Background, purpose: Purpose) -> Vec<mpsc::Sender<()>> {
        let occupy_one = |_| {
            let ((release, released), (begin, begun)) = (mpsc::channel::<()>(), mpsc::channel());
            let released = Mutex::new(released);
            let busy = job(0, u64::MAX, move |worker| {
                if worker == Worker::Background {
                    let _ = begin.send(());
                    let _ = lock(&released).recv();
                }
            });
            background.submit(Job { purpose, ..busy });
            begun.recv().expect("the job begins");
            release
        };
        (0..purpose.most_threads()).map(occupy_one).collect()
    }

    fn wait_until(threads_ended: impl Fn() -> bool) {
        let start = Instant::now();
        while !threads_ended() {
            assert!(start.elapsed() < Duration::from_secs(60), "a thread remains");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn those_who_wait_do_what_threads_do_not_finish() {
        let background = Background::new();
        let busy = occupy(&background);
        background.wait();
        assert_eq!(lock(&background.shared().state).running.len(), busy.len());
    }

    #[test]
    fn important_jobs_come_first_and_cancelled_ones_never() {
        let (background, (sender, order)) = (Background::new(), mpsc::channel());
        let busy = occupy(&background);
        for (owner, importance) in [(1, 1), (1, 5), (2, 9), (1, 3)] {
            let sender = sender.clone();
            background.submit(job(owner, importance, move |_| sender.send(importance).expect("a receiver")));
        }
        background.cancel(2);
        background.wait();
        drop((busy, background, sender));
        assert_eq!(order.iter().collect::<Vec<_>>(), [5, 3, 1]);
    }

    #[test]
    fn jobs_for_values_come_last() {
        let (background, (sender, order)) = (Background::new(), mpsc::channel());
        let busy = occupy(&background);
        let send = |number| {
            let sender = sender.clone();
            move |_| sender.send(number).expect("a receiver")
        };
        background.submit(Job { purpose: Purpose::Value, ..job(0, u64::MAX, send(2)) });
        background.submit(job(0, 0, send(1)));
        background.wait();
        drop(busy);
        assert_eq!(order.try_iter().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn those_who_wait_drop_what_may_never_be_needed() {
        let (background, (sender, done)) = (Background::new(), mpsc::channel());
        let busy = occupy_for(&background, Purpose::Guess);
        let guess = job(0, 0, move |_| sender.send(()).expect("a receiver"));
        background.submit(Job { purpose: Purpose::Guess, ..guess });
        thread::scope(|scope| {
            scope.spawn(|| background.wait());
            wait_until(|| lock(&background.shared().state).is_quiet);
            drop(busy);
        });
        background.submit(Job { purpose: Purpose::Guess, ..job(0, 0, |_| panic!("nothing is done any more")) });
        assert!(done.recv().is_err() && lock(&background.shared().state).jobs.is_empty());
    }

    #[test]
    fn jobs_with_a_delay_begin_when_they_are_due_or_somebody_waits() {
        let (background, (sender, done)) = (Background::new(), mpsc::channel());
        let late = |delay| {
            let sender = sender.clone();
            let run = move |_| sender.send((delay, Instant::now())).expect("a receiver");
            background.submit(Job { delay, ..job(0, 0, run) });
        };
        let (begin, short, long) = (Instant::now(), Duration::from_millis(40), Duration::from_secs(600));
        late(long);
        late(short);
        let (first, at) = done.recv_timeout(Duration::from_secs(60)).expect("a job");
        assert!(first == short && at.duration_since(begin) >= short);
        background.wait();
        assert!(done.try_iter().any(|(delay, _)| delay == long) && begin.elapsed() < long);
    }

    #[test]
    fn waiting_returns_after_a_panic_and_threads_end() {
        let background = Background::new();
        (0..3).for_each(|_| background.submit(job(0, 0, |_| panic!("deliberate"))));
        background.wait();
        let shared = background.shared();
        wait_until(|| lock(&shared.state).threads == [0, 0, 0] && lock(&shared.state).running.is_empty());
    }

    #[test]
    fn jobs_that_nobody_has_begun_go_with_the_background() {
        let (background, (sender, done)) = (Background::new(), mpsc::channel::<()>());
        let busy = occupy(&background);
        background.submit(job(0, 0, move |_| sender.send(()).expect("a receiver")));
        drop(background);
        drop(busy);
        assert!(done.recv().is_err());
    }
}
