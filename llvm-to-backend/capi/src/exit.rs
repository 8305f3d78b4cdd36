//! Keeps translations away from an LLVM that is being torn down.
//!
//! LLVM is loaded late, so its static destructors run before those of the program's own globals, which may launch kernels,
//! and while detached threads still do. In: the start of each translation. Out: leave to run it, or none once the process
//! exits. *Invariant:* no translation runs when a destructor of LLVM that was registered before our handler runs. Handlers
//! run in the opposite order of their registration, and LLVM registers destructors of local statics on first use, hence
//! ours again after every translation.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How long the end of the process waits for translations.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks. No lock, since a child of `fork` may end while one is held that nobody there will release.
const POLL: Duration = Duration::from_millis(1);

static DOOR: Door = Door::new();

/// Lets translations in until it is closed.
struct Door {
    closed: AtomicBool,
    inside: AtomicUsize,
    /// The process whose translations `inside` counts.
    process: AtomicU32,
}

/// A translation that may run. Dropped when it has ended.
pub(crate) struct Pass<'door>(&'door Door);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Door {
    const fn new() -> Self {
        Door { closed: AtomicBool::new(false), inside: AtomicUsize::new(0), process: AtomicU32::new(0) }
    }

    fn enter(&self) -> Option<Pass<'_>> {
        self.process.store(std::process::id(), Ordering::SeqCst);
        // Counted before the look, so that whoever closes sees us, or we see that it is closed.
        self.inside.fetch_add(1, Ordering::SeqCst);
        let pass = Pass(self);
        (!self.closed.load(Ordering::SeqCst)).then_some(pass)
    }

    /// Lets nobody in any more and waits for those inside. Gives whether all of them have left.
    fn close(&self, patience: Duration) -> bool {
        self.closed.store(true, Ordering::SeqCst);
        let start = Instant::now();
        loop {
            let alone = self.process.load(Ordering::SeqCst) != std::process::id();
            if alone || self.inside.load(Ordering::SeqCst) == 0 {
                return true;
            }
            if start.elapsed() >= patience {
                return false;
            }
            thread::sleep(POLL);
        }
    }
}

extern "C" fn close() {
    DOOR.close(PATIENCE);
}

/// Has the door closed when the process exits, before what is registered by now is destroyed.
fn register() {
    // SAFETY: `close` cannot unwind, and this library is never unloaded. Without memory for the entry there is no handler,
    // which only matters to programs that launch kernels while they exit.
    let _ = unsafe { libc::atexit(close) };
}

/// Runs `work`, or gives `None` because the process exits.
pub(crate) fn unless_exiting<R>(work: impl FnOnce() -> R) -> Option<R> {
    let pass = DOOR.enter()?;
    register();
    let result = work();
    register();
    drop(pass);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_enters_a_closed_door() {
        let door = Door::new();
        drop(door.enter().expect("open"));
        assert!(door.close(Duration::ZERO));
        assert!(door.enter().is_none());
        assert_eq!(door.inside.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn closing_waits_for_those_inside_but_not_for_ever() {
        let door = Door::new();
        let pass = door.enter().expect("open");
        assert!(!door.close(Duration::from_millis(20)));
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                drop(pass);
            });
            assert!(door.close(PATIENCE));
        });
    }

    #[test]
    fn a_child_process_does_not_wait_for_threads_of_its_parent() {
        let door = Door::new();
        let _pass = door.enter().expect("open");
        door.process.store(u32::MAX, Ordering::SeqCst);
        assert!(door.close(PATIENCE));
    }
}
