//! Lets one process of many compile a kernel while the others wait for its entry.
//!
//! *Invariant:* a lock only saves work. The system releases it when its owner dies; one that cannot be had in time, or a
//! file system without locks, leads to a second translation of the same bytes and to no error.
#![forbid(unsafe_code)]

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long to wait for another process. Above the slowest translation that was measured; a process that is stopped holds
/// others up for no longer.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait without a message.
const SILENCE: Duration = Duration::from_secs(1);
/// Time between two attempts.
const POLL: Duration = Duration::from_millis(2);

/// How a lock was had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// At once: nobody else works on the key.
    Free,
    /// After somebody else released it, so that the entry may exist now.
    Waited,
    /// Not at all.
    Unavailable,
}

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct KeyLock {
    held: Option<(File, PathBuf)>,
    /// How it was had.
    pub outcome: Outcome,
}

impl KeyLock {
    fn unavailable() -> Self {
        KeyLock { held: None, outcome: Outcome::Unavailable }
    }
}

impl Drop for KeyLock {
    fn drop(&mut self) {
        if let Some((file, path)) = self.held.take() {
            // Removed while still held: a process that waits on the old file looks for the entry first in any case.
            let _ = fs::remove_file(path);
            drop(file);
        }
    }
}

/// Tells the user once why nothing happens.
struct Notice {
    given: bool,
}

impl Notice {
    /// Whether it is given now, after `waited`.
    fn give(&mut self, path: &Path, waited: Duration) -> bool {
        if self.given || waited < SILENCE {
            return false;
        }
        self.given = true;
        let key = path.file_stem().unwrap_or_default().display();
        tracing::warn!("waiting for another process that translates {key} ({})", path.display());
        true
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).custom_flags(libc::O_NOFOLLOW).open(path)
}

/// Takes the lock at `path`, waiting at most `timeout`.
pub fn acquire(path: &Path, timeout: Duration) -> KeyLock {
    let Ok(file) = open(path) else { return KeyLock::unavailable() };
    let (start, mut outcome, mut notice) = (Instant::now(), Outcome::Free, Notice { given: false });
    loop {
        match file.try_lock() {
            Ok(()) => return KeyLock { held: Some((file, path.to_owned())), outcome },
            Err(TryLockError::WouldBlock) if start.elapsed() < timeout => thread::sleep(POLL),
            Err(_) => return KeyLock::unavailable(),
        }
        outcome = Outcome::Waited;
        notice.give(path, start.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_owner_waits_for_the_first() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("k.lock");
        let first = acquire(&path, TIMEOUT);
        assert_eq!(first.outcome, Outcome::Free);
        let second = thread::scope(|scope| {
            let waiter = scope.spawn(|| acquire(&path, TIMEOUT));
            thread::sleep(Duration::from_millis(20));
            drop(first);
            waiter.join().expect("waiter")
        });
        assert_eq!(second.outcome, Outcome::Waited);
    }

    #[test]
    fn a_lock_that_is_never_released_is_given_up() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("k.lock");
        let _first = acquire(&path, TIMEOUT);
        assert_eq!(acquire(&path, Duration::from_millis(10)).outcome, Outcome::Unavailable);
        assert_eq!(acquire(&root.path().join("no/k.lock"), TIMEOUT).outcome, Outcome::Unavailable);
    }

    #[test]
    fn a_long_wait_is_announced_once() {
        let (mut notice, path) = (Notice { given: false }, Path::new("/cache/ab/abcd.lock"));
        let given = [0, 999, 1000, 5000].map(|ms| notice.give(path, Duration::from_millis(ms)));
        assert_eq!(given, [false, false, true, false]);
    }
}
