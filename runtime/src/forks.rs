//! Keeps `fork` away from work that a child process could not go on with.
//!
//! In: pieces of work that hold locks of this library, of a compiler or of the dynamic linker. Out:
//! their results. A child has the memory of its parent and none of its other threads: what they
//! hold at the fork is held for ever. So a fork waits until no such work is under way, and work
//! that would begin waits for the fork. *Invariant:* neither waits longer than [`PATIENCE`], since
//! other functions that run before a fork may hold locks of the program. Work that takes longer,
//! such as the translation of a huge kernel, is recognised in the child by its generation and done
//! again there. A thread that forks in the middle of its own work does not wait for itself.
//!
//! Work for values that launches repeat may take long, because its threads run only where a CPU is
//! idle. A fork waits for the pieces that were begun before it, for [`PATIENCE_BESIDE`] at most.
#![expect(unsafe_code, reason = "registers functions that run before and after a fork")]

use std::{
    cell::Cell,
    sync::{
        Once,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest time that a fork, or work, waits.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest time that a fork waits for work of threads that run only where a CPU is idle.
const PATIENCE_BESIDE: Duration = Duration::from_millis(300);
const PAUSE: Duration = Duration::from_micros(100);

/// The number of threads that work, that of those that run only where a CPU is idle, in units of
/// [`BESIDE`], and [`FORKING`].
static WORKING: AtomicUsize = AtomicUsize::new(0);
/// A thread forks. It began when no thread worked.
const FORKING: usize = 1 << (usize::BITS - 1);
/// One thread that runs only where a CPU is idle.
const BESIDE: usize = 1 << (usize::BITS / 2);
/// The number of threads that wait to fork.
static FORKS: AtomicUsize = AtomicUsize::new(0);
static GENERATION: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Pieces of work that the thread is in, one inside another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A number that differs in a child process.
pub(crate) fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}

/// The end of a piece of work.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            WORKING.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Runs `work`, in which no other thread forks.
pub(crate) fn between_forks<R>(work: impl FnOnce() -> R) -> R {
    register();
    if DEPTH.get() == 0 {
        enter(1);
    }
    DEPTH.set(DEPTH.get() + 1);
    let _end = End;
    work()
}

/// The end of a piece of work of a thread that runs only where a CPU is idle, in the process that
/// began it.
struct EndBeside(u64);

impl Drop for EndBeside {
    fn drop(&mut self) {
        if self.0 == generation() {
            WORKING.fetch_sub(BESIDE, Ordering::Release);
        }
    }
}

/// Returns when no thread waits to fork, or after a while.
fn let_forks_begin() {
    let end = Instant::now() + PATIENCE;
    while FORKS.load(Ordering::Relaxed) != 0 && Instant::now() < end {
        thread::sleep(PAUSE);
    }
}

/// Runs `work` that no launch waits for, in which no other thread forks. It begins after forks that
/// wait.
pub(crate) fn after_forks<R>(work: impl FnOnce() -> R) -> R {
    register();
    let_forks_begin();
    between_forks(work)
}

/// Runs `work` of a thread that runs only where a CPU is idle. A fork waits for its end, but not
/// for long, and it begins after those that wait.
pub(crate) fn where_idle<R>(work: impl FnOnce() -> R) -> R {
    register();
    let_forks_begin();
    enter(BESIDE);
    let _end = EndBeside(generation());
    work()
}

/// A value whose locks no child process inherits held: no other thread forks while it is used.
#[derive(Debug, Default)]
pub(crate) struct ForkSafe<T>(T);

impl<T> ForkSafe<T> {
    pub(crate) const fn new(value: T) -> Self {
        ForkSafe(value)
    }

    /// Uses it; forks wait meanwhile.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&T) -> R) -> R {
        between_forks(|| work(&self.0))
    }
}

fn enter(unit: usize) {
    let end = Instant::now() + PATIENCE;
    let more = |working| (working & FORKING == 0 || Instant::now() >= end).then_some(working + unit);
    while WORKING.fetch_update(Ordering::Acquire, Ordering::Relaxed, more).is_err() {
        thread::sleep(PAUSE);
    }
}

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the functions take no arguments, and live as long as this library.
        let code = unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
        if code != 0 {
            tracing::warn!(code, "forks cannot be noticed: a child process may wait for ever");
        }
    });
}

extern "C" fn before() {
    let start = Instant::now();
    let is_over = |patience| start.elapsed() >= patience;
    let forking = |working: usize| {
        let mask = if is_over(PATIENCE_BESIDE) { FORKING | (BESIDE - 1) } else { usize::MAX };
        (working & mask == 0).then_some(working | FORKING)
    };
    FORKS.fetch_add(1, Ordering::Relaxed);
    let is_free = || WORKING.fetch_update(Ordering::Acquire, Ordering::Relaxed, forking).is_ok();
    while DEPTH.get() == 0 && !is_free() && !is_over(PATIENCE) {
        thread::sleep(PAUSE);
    }
    FORKS.fetch_sub(1, Ordering::Relaxed);
}

extern "C" fn in_parent() {
    WORKING.fetch_and(!FORKING, Ordering::Release);
}

extern "C" fn in_child() {
    FORKS.store(0, Ordering::Relaxed);
    WORKING.store(DEPTH.get().min(1), Ordering::Release);
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError, atomic::AtomicBool, mpsc};

    /// Forks; the child ends at once. Returns the time that it took.
    fn fork() -> Duration {
        let start = Instant::now();
        assert_eq!(fork_and(|| ()), 0);
        start.elapsed()
    }

    /// Children that end only if they get a lock that another thread takes again and again.
    #[test]
    fn no_child_inherits_a_lock_that_is_held() {
        let (table, is_over) = (ForkSafe::new(Mutex::new(0)), AtomicBool::new(false));
        let visit = || table.with(|table| *table.lock().unwrap_or_else(PoisonError::into_inner) += 1);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    visit();
                }
            });
            let has_ended = (0..100).all(|_| fork_and(visit) == 0);
            is_over.store(true, Ordering::Relaxed);
            assert!(has_ended, "a child waits for ever");
        });
    }

    /// Forks a child that does `work`. Returns its status, which is not 0 if it takes too long.
    fn fork_and(work: impl FnOnce()) -> i32 {
        let mut status = -1;
        // SAFETY: the child has only this thread, and takes no lock that others may hold but the
        // one that is tested. An alarm ends it.
        match unsafe { libc::fork() } {
            0 => {
                // SAFETY: sets the alarm.
                unsafe { libc::alarm(20) };
                work();
                // SAFETY: ends the child.
                unsafe { libc::_exit(0) }
            }
            child => {
                // SAFETY: waits for that child; the status outlives the call.
                assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
                status
            }
        }
    }

    /// One test, because all threads share the counters: a fork waits for others, not for itself,
    /// and not for long for work that no launch waits for.
    #[test]
    fn a_fork_waits_for_work_of_others_and_not_for_its_own() {
        let own = between_forks(|| between_forks(fork));
        assert!(own < PATIENCE, "{own:?}");
        let (begin, begun) = mpsc::channel();
        let worker = thread::spawn(move || {
            between_forks(|| {
                begin.send(()).expect("the test waits");
                thread::sleep(Duration::from_millis(50));
                Instant::now()
            })
        });
        begun.recv().expect("the thread works");
        fork();
        assert!(worker.is_finished() || worker.join().expect("it ends") <= Instant::now());
        between_forks(|| ());
        let ((begin, begun), (release, released)) = (mpsc::channel(), mpsc::channel::<()>());
        let worker = thread::spawn(move || {
            where_idle(|| {
                begin.send(()).expect("the test waits");
                let _ = released.recv();
            });
        });
        begun.recv().expect("the thread works");
        let waited = fork();
        assert!((PATIENCE_BESIDE..PATIENCE).contains(&waited), "{waited:?}");
        drop(release);
        worker.join().expect("it ends");
    }
}
