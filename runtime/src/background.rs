//! Threads for work that no launch waits for.
//!
//! In: jobs, each with an owner and an importance that may change. Out: their effects, the most
//! important first, on threads that run only where a CPU is idle. *Invariant:* nobody waits for a
//! thread here unless [`Background::wait`] is called: a process ends at any time, and jobs that
//! nobody has begun go with their owner. Threads end when there is no job, so that a process
//! without jobs has none. A forked child begins without jobs and threads.
#![forbid(unsafe_code)]

use crate::system;
use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// CPUs for one thread, and the largest number of threads.
const CPUS_OF_THREAD: usize = 4;
const MOST_THREADS: usize = 4;
/// Upper bound in bytes on the address space of a thread. Rust ends the process if an allocation of
/// a new thread fails.
const ROOM: usize = 4 << 20;

/// Work to be done.
pub(crate) struct Job {
    /// Address of what the work is for.
    pub(crate) owner: usize,
    /// Is asked when a thread is free: the highest number comes first.
    pub(crate) importance: Box<dyn Fn() -> u64 + Send>,
    /// Does the work.
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    jobs: Vec<Job>,
    /// Jobs that threads, of this module or waiting ones, are doing.
    running: usize,
    threads: usize,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Jobs and their threads.
pub(crate) struct Background {
    /// With the process that they belong to.
    shared: Mutex<(u32, Arc<Shared>)>,
}

/// A poisoned lock means that a thread panicked; the values are changed by whole steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn most_threads() -> usize {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    (cpus / CPUS_OF_THREAD).clamp(1, MOST_THREADS)
}

impl Background {
    pub(crate) fn new() -> Self {
        Background { shared: Mutex::new((process::id(), Arc::default())) }
    }

    /// The jobs of this process.
    fn shared(&self) -> Arc<Shared> {
        let mut shared = lock(&self.shared);
        if shared.0 != process::id() {
            // The parent's locks may be held by threads that do not exist here.
            mem::forget(mem::replace(&mut *shared, (process::id(), Arc::default())));
        }
        Arc::clone(&shared.1)
    }

    /// Queues a job. If the system refuses a thread, it is done by whoever waits, or never.
    pub(crate) fn submit(&self, job: Job) {
        let shared = self.shared();
        let mut state = lock(&shared.state);
        state.jobs.push(job);
        let is_enough = state.threads >= most_threads().min(state.jobs.len());
        if is_enough || !system::has_address_space(ROOM) {
            return;
        }
        let own = Arc::clone(&shared);
        match thread::Builder::new().name("sinter-upgrade".to_owned()).spawn(move || own.work()) {
            Ok(_) => state.threads += 1,
            Err(error) => tracing::debug!(%error, "no thread for the background"),
        }
    }

    /// Drops the jobs of an owner that nobody has begun.
    pub(crate) fn cancel(&self, owner: usize) {
        let shared = self.shared();
        let dropped: Vec<Job> = lock(&shared.state).jobs.extract_if(.., |job| job.owner == owner).collect();
        // Outside the lock, because jobs own kernels, and unloading one runs code of the driver.
        drop(dropped);
        shared.changed.notify_all();
    }

    /// Does jobs until there is none, and waits for those that other threads have begun.
    pub(crate) fn wait(&self) {
        let shared = self.shared();
        while shared.do_one() {}
        let mut state = lock(&shared.state);
        while state.running > 0 || !state.jobs.is_empty() {
            if state.jobs.is_empty() {
                state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                drop(state);
                shared.do_one();
                state = lock(&shared.state);
            }
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let shared = self.shared();
        let dropped = mem::take(&mut lock(&shared.state).jobs);
        drop(dropped);
    }
}

/// Counts a job as done, also after a panic.
struct Running<'a>(&'a Shared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).running -= 1;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn work(&self) {
        system::yield_to_others();
        loop {
            while self.do_one() {}
            let mut state = lock(&self.state);
            if state.jobs.is_empty() {
                state.threads -= 1;
                return;
            }
        }
    }

    /// Does the most important job. False if there is none.
    fn do_one(&self) -> bool {
        let mut state = lock(&self.state);
        let most = (0..state.jobs.len()).max_by_key(|index| (state.jobs[*index].importance)());
        let Some(most) = most else { return false };
        let job = state.jobs.remove(most);
        state.running += 1;
        drop(state);
        let _running = Running(self);
        if catch_unwind(AssertUnwindSafe(job.run)).is_err() {
            tracing::error!("a thread of the background panicked");
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::mpsc,
        time::{Duration, Instant},
    };

    fn job(owner: usize, importance: u64, run: impl FnOnce() + Send + 'static) -> Job {
        Job { owner, importance: Box::new(move || importance), run: Box::new(run) }
    }

    /// Keeps all threads busy until the result is dropped.
    fn occupy(background: &Background) -> Vec<mpsc::Sender<()>> {
        let occupy_one = |_| {
            let ((release, released), (begin, begun)) = (mpsc::channel::<()>(), mpsc::channel());
            background.submit(job(0, u64::MAX, move || {
                let _ = begin.send(());
                let _ = released.recv();
            }));
            begun.recv().expect("the job begins");
            release
        };
        (0..most_threads()).map(occupy_one).collect()
    }

    #[test]
    fn important_jobs_come_first_and_cancelled_ones_never() {
        let (background, (sender, order)) = (Background::new(), mpsc::channel());
        let busy = occupy(&background);
        for (owner, importance) in [(1, 1), (1, 5), (2, 9), (1, 3)] {
            let sender = sender.clone();
            background.submit(job(owner, importance, move || sender.send(importance).expect("a receiver")));
        }
        background.cancel(2);
        drop((busy, sender));
        background.wait();
        let mut done: Vec<_> = order.iter().collect();
        if most_threads() > 1 {
            done.sort_unstable_by(|a, b| b.cmp(a));
        }
        assert_eq!(done, [5, 3, 1]);
    }

    #[test]
    fn waiting_returns_after_a_panic_and_threads_end() {
        let background = Background::new();
        (0..3).for_each(|_| background.submit(job(0, 0, || panic!("deliberate"))));
        background.wait();
        let shared = background.shared();
        let start = Instant::now();
        while lock(&shared.state).threads > 0 {
            assert!(start.elapsed() < Duration::from_secs(60), "a thread remains");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn jobs_that_nobody_has_begun_go_with_the_background() {
        let (background, (sender, done)) = (Background::new(), mpsc::channel::<()>());
        let busy = occupy(&background);
        background.submit(job(0, 0, move || sender.send(()).expect("a receiver")));
        drop(background);
        drop(busy);
        assert!(done.recv().is_err());
    }
}
