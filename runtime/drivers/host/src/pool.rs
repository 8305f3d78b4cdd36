//! The thread pool for large commands.
//!
//! In: tasks. Out: their effects, on threads named `sinter-host-N`. *Invariant:* the threads start
//! with the first queue or task, so a process without queues has none. If the system refuses
//! threads, tasks run on the thread that submits them. Pinned threads share out their CPUs in
//! order. Signals that are sent to the process are left to its other threads.

use crate::work::note_destructors;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::{num::NonZero, sync::OnceLock, thread};

/// The CPUs on which the threads of a pool run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Each thread stays on one CPU.
    pub(crate) pinned: bool,
    /// The only CPUs; `None` leaves all that the process may use.
    pub(crate) cpus: Option<Vec<usize>>,
}

/// A lazily started thread pool.
#[derive(Debug)]
pub(crate) struct Pool {
    threads: usize,
    placement: Placement,
    started: OnceLock<Option<ThreadPool>>,
}

impl Pool {
    /// A pool of `threads` threads; `None` uses as many as the process may.
    pub(crate) fn new(threads: Option<usize>, placement: Placement) -> Self {
        let threads = threads.or_else(|| thread::available_parallelism().ok().map(NonZero::get));
        Pool { threads: threads.unwrap_or(1).max(1), placement, started: OnceLock::new() }
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Starts the threads, so that no launch has to wait for that. The threads and this one
    /// register their destructors with the C library now, because it aborts a process that has no
    /// memory for that later.
    pub(crate) fn warm_up(&self) {
        note_destructors();
        let _ = self.started();
    }

    fn started(&self) -> Option<&ThreadPool> {
        self.started.get_or_init(|| start(self.threads, &self.placement)).as_ref()
    }

    /// Index of the calling thread, if it belongs to the pool.
    pub(crate) fn index(&self) -> Option<usize> {
        self.started.get()?.as_ref()?.current_thread_index()
    }

    /// Runs `task` asynchronously on any thread.
    pub(crate) fn spawn(&self, task: impl FnOnce() + Send + 'static) {
        match self.started() {
            Some(pool) => pool.spawn(task),
            None => task(),
        }
    }

    /// Runs `task` asynchronously on `count` different threads. If that is all of them, each runs
    /// it once.
    pub(crate) fn spread(&self, count: usize, task: impl Fn() + Clone + Send + Sync + 'static) {
        match self.started() {
            Some(pool) if count >= self.threads => pool.spawn_broadcast(move |_| task()),
            Some(pool) => (0..count).for_each(|_| pool.spawn(task.clone())),
            None => task(),
        }
    }
}

/// The CPUs that the calling thread may use.
pub(crate) fn usable_cpus() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// Lets the calling thread use these CPUs only, or one of them. If the system refuses, it uses all.
fn pin(thread: usize, cpus: &[usize], to_one: bool) {
    if cpus.is_empty() {
        return;
    }
    let mut set = CpuSet::new();
    match to_one {
        true => set.set(cpus[thread % cpus.len()]),
        false => cpus.iter().for_each(|cpu| set.set(*cpu)),
    }
    if let Err(error) = sched_setaffinity(None, &set) {
        tracing::warn!(%error, "the threads for kernels are not pinned");
    }
}

fn start(threads: usize, placement: &Placement) -> Option<ThreadPool> {
    let Placement { pinned, cpus } = placement.clone();
    let cpus = cpus.unwrap_or_else(|| if pinned { usable_cpus() } else { Vec::new() });
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |thread| pin(thread, &cpus, pinned))
        .thread_name(|i| format!("sinter-host-{i}"))
        // Without a handler a panic would abort the process. The queue whose command panicked
        // reports it at the next wait.
        .panic_handler(|_| tracing::error!("a thread of the host driver panicked"));
    match sinter_signals::while_starting_threads(|| builder.build()) {
        Ok(pool) => {
            // This also waits until all threads run, which takes memory of the C library too.
            pool.broadcast(|_| note_destructors());
            Some(pool)
        }
        Err(error) => {
            tracing::warn!(%error, threads, "no threads for kernels: they run on the threads that wait for them");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus_of_threads(pinned: bool, cpus: Option<&[usize]>) -> Vec<Vec<usize>> {
        let placement = Placement { pinned, cpus: cpus.map(<[usize]>::to_vec) };
        start(2, &placement).expect("threads").broadcast(|_| usable_cpus())
    }

    #[test]
    fn pinned_threads_share_out_the_cpus() {
        let all = usable_cpus();
        assert_eq!(cpus_of_threads(false, None), [all.clone(), all.clone()]);
        let expected = [0, 1].map(|thread| vec![all[thread % all.len()]]);
        assert_eq!(cpus_of_threads(true, None), expected);
    }

    #[test]
    fn threads_of_a_node_stay_on_its_cpus() {
        let all = usable_cpus();
        let node = &all[all.len() / 2..];
        assert_eq!(cpus_of_threads(false, Some(node)), [node.to_vec(), node.to_vec()]);
        let expected = [0, 1].map(|thread| vec![node[thread % node.len()]]);
        assert_eq!(cpus_of_threads(true, Some(node)), expected);
    }
}
