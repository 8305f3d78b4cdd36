//! The thread that submits launches in time.
//!
//! In: the commands of a stream. Out: the submission of their batch. *Invariant:* a batch waits
//! only while more than [`LEFT`] submissions before it are under way, so that the device never
//! waits for the host. The thread starts with the first batch that waits, and sleeps while there is
//! none.

use crate::{commands::Commands, exit};
use sinter_driver_common::lock;
use sinter_signals::while_starting_threads;
use std::{
    mem,
    sync::{
        Arc, Condvar, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Submissions under way when the thread submits a batch.
const LEFT: u64 = 2;

/// The state that a stream shares with its thread.
struct Shared {
    commands: Arc<Commands>,
    /// True if there may be a batch that the thread has not seen.
    is_wanted: Mutex<bool>,
    wakes: Condvar,
    sleeps: AtomicBool,
    ends: AtomicBool,
}

/// The thread of a stream, which submits batches.
pub(crate) struct Submitter {
    shared: Arc<Shared>,
    /// `None` if it cannot be started.
    thread: OnceLock<Option<JoinHandle<()>>>,
}

impl Submitter {
    pub(crate) fn new(commands: &Arc<Commands>) -> Self {
        let (is_wanted, wakes) = (Mutex::new(false), Condvar::new());
        let (sleeps, ends) = (AtomicBool::new(false), AtomicBool::new(false));
        let shared = Arc::new(Shared { commands: Arc::clone(commands), is_wanted, wakes, sleeps, ends });
        Submitter { shared, thread: OnceLock::new() }
    }

    /// True if there is a thread, which is started on first use.
    pub(crate) fn is_ready(&self) -> bool {
        let start = || {
            let shared = Arc::clone(&self.shared);
            let named = thread::Builder::new().name("sinter-vulkan".to_owned());
            let started = while_starting_threads(|| named.spawn(move || shared.run()));
            started.inspect_err(|error| tracing::warn!(%error, "launches are not collected")).ok()
        };
        self.thread.get_or_init(start).is_some()
    }

    /// Says that there is a batch.
    pub(crate) fn wake(&self) {
        // A call for each launch would cost as much as its submission.
        if self.shared.sleeps.swap(false, Ordering::AcqRel) {
            *lock(&self.shared.is_wanted) = true;
            self.shared.wakes.notify_one();
        }
    }

    /// Ends the thread. Everything of the stream is complete.
    pub(crate) fn end(&mut self) {
        self.shared.ends.store(true, Ordering::Release);
        *lock(&self.shared.is_wanted) = true;
        self.shared.wakes.notify_one();
        if let Some(thread) = self.thread.take().flatten() {
            // It does not panic.
            thread.join().ok();
        }
    }

    /// Leaves the thread alone, which does not exist in a forked child.
    pub(crate) fn forget(&mut self) {
        mem::forget(self.thread.take());
    }
}

impl Shared {
    fn run(&self) {
        while !self.ends.load(Ordering::Acquire) && !exit::is_near() {
            // After it is said that the thread sleeps, a batch that is not seen here wakes it.
            let awaited = self.commands.flush_unless_busy(LEFT).or_else(|| {
                self.sleeps.store(true, Ordering::Release);
                self.commands.flush_unless_busy(LEFT)
            });
            match awaited {
                Some(position) => {
                    self.sleeps.store(false, Ordering::Release);
                    if self.commands.timeline.wait_for(position, u64::MAX).is_err() {
                        // The batch would wait for a lost device again and again.
                        self.commands.flush_for_later();
                    }
                }
                None => self.sleep(),
            }
        }
    }

    fn sleep(&self) {
        let mut is_wanted = lock(&self.is_wanted);
        while !*is_wanted {
            is_wanted = self.wakes.wait(is_wanted).unwrap_or_else(PoisonError::into_inner);
        }
        *is_wanted = false;
    }
}
