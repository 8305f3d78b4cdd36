//! Lets one process of many compile a kernel while the others wait for its entry.
//!
//! The lock is one of the system on a file, which network file systems pass on to their server. The owner also renews the
//! time of the file while it works. *Invariant:* a lock only saves work. The system releases it when its owner dies; an
//! owner that gives no sign of life, because it is stopped or its machine is gone, is not waited for. Both lead to a second
//! translation of the same bytes and to no error.
#![forbid(unsafe_code)]

use crate::demangle;
use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// How long to wait without a message.
const SILENCE: Duration = Duration::from_secs(1);
/// Time between the first two attempts. Most translations take less than ten times as long.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
/// Time between two attempts at most; each is a request to the server of a network file system.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

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

    fn held(file: File, path: &Path, outcome: Outcome) -> Self {
        let lock = KeyLock { held: Some((file, path.to_owned())), outcome };
        lock.renew();
        lock
    }

    /// Shows those who wait that the owner is alive.
    pub fn renew(&self) {
        if let Some((file, _)) = &self.held {
            // Others may then compile the same kernel; that is all that a failure does.
            let _ = file.set_modified(SystemTime::now());
        }
    }
}

impl Drop for KeyLock {
    fn drop(&mut self) {
        if let Some((file, path)) = self.held.take() {
            if is_at(&file, &path) {
                // While it is still locked, so that nobody else's file is removed.
                let _ = fs::remove_file(path);
            }
            // Not left to closing the file: a child that was forked meanwhile has it open as well.
            let _ = file.unlock();
        }
    }
}

/// Whether `path` still names `file`. Its owner removes the file when it is done.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(ours), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    (ours.dev(), ours.ino()) == (there.dev(), there.ino())
}

/// How processes exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// By a lock of the system.
    System,
    /// By who makes the file, on file systems without locks. The file of an owner that gives no sign of life is taken over.
    Existence,
}

impl Method {
    /// The file, if it is ours now.
    fn attempt(self, path: &Path) -> io::Result<Option<File>> {
        let mut options = File::options();
        options.write(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        match self {
            Method::System => lock(options.create(true).truncate(false).open(path)?, path),
            Method::Existence => match options.create_new(true).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                result => result.map(Some),
            },
        }
    }

    /// What to do about an owner that gives no sign of life.
    fn give_up(self, path: &Path) -> io::Result<KeyLock> {
        if self == Method::System {
            return Ok(KeyLock::unavailable());
        }
        fs::remove_file(path)?;
        let file = self.attempt(path)?;
        Ok(file.map_or_else(KeyLock::unavailable, |file| KeyLock::held(file, path, Outcome::Waited)))
    }
}

fn lock(file: File, path: &Path) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(is_at(&file, path).then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether the file system has no locks, or its server does not answer for them.
fn is_without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(libc::ENOLCK)
}

/// What a waiting process knows of the owner.
struct Wait<'a> {
    kernel: &'a str,
    start: Instant,
    pause: Duration,
    announced: bool,
    /// The time of the file when it was last seen to change, and when that was. Clocks of two machines are not compared.
    sign: (Option<SystemTime>, Instant),
}

impl<'a> Wait<'a> {
    fn new(kernel: &'a str) -> Self {
        let now = Instant::now();
        Wait { kernel, start: now, pause: SHORTEST_PAUSE, announced: false, sign: (None, now) }
    }

    fn outcome(&self) -> Outcome {
        if self.pause == SHORTEST_PAUSE { Outcome::Free } else { Outcome::Waited }
    }

    /// Time since the owner's last sign of life.
    fn silence(&mut self, path: &Path) -> Duration {
        // Opened, because that makes a network file system ask its server.
        let renewed = File::open(path).and_then(|file| file.metadata()?.modified()).ok();
        if renewed != self.sign.0 {
            self.sign = (renewed, Instant::now());
        }
        self.sign.1.elapsed()
    }

    fn pause(&mut self, path: &Path) {
        thread::sleep(self.pause);
        self.pause = (self.pause * 5 / 4).min(LONGEST_PAUSE);
        self.announce(path, self.start.elapsed());
    }

    /// Tells the user once why nothing happens. Returns whether it does so now.
    fn announce(&mut self, path: &Path, waited: Duration) -> bool {
        if self.announced || waited < SILENCE {
            return false;
        }
        self.announced = true;
        let kernel = demangle::short(self.kernel);
        tracing::warn!("waiting for another process that compiles {kernel} (its lock is {})", path.display());
        true
    }
}

fn acquire_by(method: Method, path: &Path, kernel: &str, patience: Duration) -> io::Result<KeyLock> {
    let mut wait = Wait::new(kernel);
    loop {
        if let Some(file) = method.attempt(path)? {
            return Ok(KeyLock::held(file, path, wait.outcome()));
        }
        if wait.silence(path) >= patience {
            return method.give_up(path);
        }
        wait.pause(path);
    }
}

/// Takes the lock at `path`, that of `kernel`. Waits for its owner for as long as that gives a sign of life at least every
/// `patience`.
pub fn acquire(path: &Path, kernel: &str, patience: Duration) -> KeyLock {
    let lock = match acquire_by(Method::System, path, kernel, patience) {
        Err(error) if is_without_locks(&error) => acquire_by(Method::Existence, path, kernel, patience),
        result => result,
    };
    lock.unwrap_or_else(|_| KeyLock::unavailable())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);
    const SHORT: Duration = Duration::from_millis(40);
    const METHODS: [Method; 2] = [Method::System, Method::Existence];

    fn take(method: Method, path: &Path, patience: Duration) -> KeyLock {
        acquire_by(method, path, "k", patience).expect("lock")
    }

    #[test]
    fn a_second_owner_waits_for_the_first() {
        let root = tempfile::tempdir().expect("folder");
        let path = &root.path().join("k.lock");
        for method in METHODS {
            let first = take(method, path, LONG);
            assert_eq!(first.outcome, Outcome::Free);
            let second = thread::scope(|scope| {
                let waiter = scope.spawn(|| take(method, path, LONG));
                thread::sleep(Duration::from_millis(20));
                drop(first);
                waiter.join().expect("waiter")
            });
            assert_eq!(second.outcome, Outcome::Waited);
            drop(second);
            assert!(!path.exists());
        }
    }

    #[test]
    fn an_owner_without_a_sign_of_life_is_given_up() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("k.lock");
        let first = take(Method::System, &path, LONG);
        assert_eq!(acquire(&path, "k", SHORT).outcome, Outcome::Unavailable);
        assert_eq!(acquire(&path, "k", Duration::ZERO).outcome, Outcome::Unavailable);
        drop(first);
        let lost = take(Method::Existence, &path, LONG);
        let heir = take(Method::Existence, &path, SHORT);
        assert_eq!(heir.outcome, Outcome::Waited);
        // The first owner comes back to life and must not remove what is no longer its own.
        drop(lost);
        assert!(path.exists());
        assert_eq!(acquire(&root.path().join("no/k.lock"), "k", LONG).outcome, Outcome::Unavailable);
    }

    #[test]
    fn an_owner_that_renews_its_lock_is_waited_for() {
        let root = tempfile::tempdir().expect("folder");
        let path = &root.path().join("k.lock");
        for method in METHODS {
            let first = take(method, path, LONG);
            let second = thread::scope(|scope| {
                let waiter = scope.spawn(|| take(method, path, 4 * SHORT));
                for _ in 0..30 {
                    thread::sleep(SHORT / 4);
                    first.renew();
                }
                drop(first);
                waiter.join().expect("waiter")
            });
            assert_eq!(second.outcome, Outcome::Waited, "{method:?}");
        }
    }

    #[test]
    fn a_file_that_was_left_behind_is_no_lock() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("k.lock");
        fs::write(&path, "").expect("write");
        assert_eq!(acquire(&path, "k", LONG).outcome, Outcome::Free);
    }

    #[test]
    fn a_long_wait_is_announced_once() {
        let (mut wait, path) = (Wait::new("k"), Path::new("/cache/ab/abcd.lock"));
        let given = [0, 999, 1000, 5000].map(|ms| wait.announce(path, Duration::from_millis(ms)));
        assert_eq!(given, [false, false, true, false]);
    }
}
