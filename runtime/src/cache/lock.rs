//! Lets one process compile a kernel while other processes wait for its entry.
//!
//! The lock is a file lock, which network file systems forward to their server. The owner also
//! renews the file's modification time while it works. *Invariant:* a lock only saves work. The
//! system releases it when its owner dies, and waiting ends when an owner stops renewing, because
//! it is stopped or its machine is gone. Both lead to a second translation of the same bytes and to
//! no error. An owner that cannot store its result gives the lock up. Waiting processes then
//! continue without it, because waiting for the next owner would not help either.
#![forbid(unsafe_code)]

use super::folder::Folder;
use crate::throttle::{Concern, Throttle};
use rustix::fs::OFlags;
use sinter_core::names::readable;
use std::{
    ffi::{OsStr, OsString},
    fs::{File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Waiting time before a message.
const SILENCE: Duration = Duration::from_secs(1);
/// Time between the first two attempts. Most translations take less than ten times as long.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
/// Maximum time between two attempts; each is a request to the server of a network file system.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Modification time of a lock file whose owner gave it up. The next owner renews it.
const GIVEN_UP: SystemTime = UNIX_EPOCH;

/// Result of acquiring a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Held at once: no other process works on the key.
    Free,
    /// Held after another process released it, so the entry may exist now.
    Waited,
    /// Not held.
    Unavailable,
}

/// An open and locked file.
#[derive(Debug)]
struct Held {
    file: File,
    folder: Folder,
    name: OsString,
    given_up: AtomicBool,
}

/// A lock on a key, released on drop.
#[derive(Debug)]
pub struct KeyLock {
    held: Option<Held>,
    /// Result of acquiring it.
    pub outcome: Outcome,
}

impl KeyLock {
    pub(super) fn unavailable() -> Self {
        KeyLock { held: None, outcome: Outcome::Unavailable }
    }

    fn held(file: File, folder: Folder, name: &OsStr, outcome: Outcome) -> Self {
        let held = Held { file, folder, name: name.to_owned(), given_up: AtomicBool::new(false) };
        let lock = KeyLock { held: Some(held), outcome };
        lock.renew();
        lock
    }

    /// Renews the modification time, which shows waiting processes that the owner is alive.
    pub fn renew(&self) {
        if let Some(held) = self.held.as_ref().filter(|held| !held.given_up.load(Ordering::Relaxed)) {
            // If this fails, other processes may compile the same kernel; nothing worse happens.
            let _ = held.file.set_modified(SystemTime::now());
        }
    }

    /// Tells waiting processes that there will be no entry. They continue without the lock.
    pub fn give_up(&self) {
        if let Some(held) = &self.held {
            held.given_up.store(true, Ordering::Relaxed);
            // If this fails, waiting processes take the lock one after the other.
            let _ = held.file.set_modified(GIVEN_UP);
        }
    }
}

impl Drop for KeyLock {
    fn drop(&mut self) {
        if let Some(Held { file, folder, name, given_up }) = self.held.take() {
            // A lock that is given up stays, so that waiting processes see it; the next owner or
            // sweep removes the file.
            if !given_up.into_inner() && is_at(&file, &folder, &name) {
                // While it is still locked, so that no other process's file is removed.
                let _ = folder.remove(&name);
            }
            // Closing the file would not unlock it if a child forked meanwhile, which has it open
            // as well.
            let _ = file.unlock();
        }
    }
}

/// True if `name` still refers to `file`. Its owner removes the file when it is done.
fn is_at(file: &File, folder: &Folder, name: &OsStr) -> bool {
    let (Ok(ours), Ok(there)) = (file.metadata(), folder.about_file(name)) else { return false };
    (ours.dev(), ours.ino()) == there.identity
}

/// Method of mutual exclusion between processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// A file lock of the system.
    System,
    /// Exclusive creation of the file, on file systems without locks. The file of an owner that
    /// stopped renewing is taken over.
    Existence,
}

impl Method {
    /// Tries once to take the lock; `None` if another process holds it.
    fn attempt(self, folder: &Folder, name: &OsStr) -> io::Result<Option<File>> {
        let flags = OFlags::WRONLY | OFlags::CREATE;
        match self {
            Method::System => lock(folder.file(name, flags)?, folder, name),
            Method::Existence => create(folder, name, flags).and_then(|file| match file {
                None if is_left_behind(folder, name) => {
                    // Another process may be faster.
                    let _ = folder.remove(name);
                    create(folder, name, flags)
                }
                file => Ok(file),
            }),
        }
    }

    /// Handles an owner that stopped renewing.
    fn take_over(self, folder: Folder, name: &OsStr) -> io::Result<KeyLock> {
        if self == Method::System {
            return Ok(KeyLock::unavailable());
        }
        folder.remove(name)?;
        let file = self.attempt(&folder, name)?;
        Ok(file.map_or_else(KeyLock::unavailable, |file| KeyLock::held(file, folder, name, Outcome::Waited)))
    }
}

/// Creates a file; `None` if it exists already.
fn create(folder: &Folder, name: &OsStr, flags: OFlags) -> io::Result<Option<File>> {
    match folder.file(name, flags | OFlags::EXCL) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        result => result.map(Some),
    }
}

/// True if the owner gave the lock up and all processes that waited then have seen it. A server
/// whose clock is off shortens or lengthens that time, which costs at most a translation.
fn is_left_behind(folder: &Folder, name: &OsStr) -> bool {
    let is_old = |changed: SystemTime| changed.elapsed().is_ok_and(|age| age > LONGEST_PAUSE);
    folder.about_file(name).is_ok_and(|about| about.modified == GIVEN_UP && is_old(about.changed))
}

fn lock(file: File, folder: &Folder, name: &OsStr) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(is_at(&file, folder, name).then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// True if the file system does not support locks, or its server does not answer lock requests.
fn is_without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(libc::ENOLCK)
}

/// A waiting process: which kernel it waits for, for how long, and its messages.
#[derive(Clone, Copy)]
pub(super) struct Waiter<'a> {
    pub(super) kernel: &'a str,
    /// An owner that has not renewed the file for this long is not waited for.
    pub(super) patience: Duration,
    /// Limits the messages of all waiting threads together.
    pub(super) messages: &'a Throttle,
}

/// Observations of a waiting process about the owner.
struct Wait<'a> {
    waiter: Waiter<'a>,
    start: Instant,
    pause: Duration,
    /// Last modification time seen, and the local time when it was first seen. Clocks of two
    /// machines are never compared.
    sign: (Option<SystemTime>, Instant),
    _concern: Concern<'a>,
}

impl<'a> Wait<'a> {
    fn new(waiter: Waiter<'a>) -> Self {
        let now = Instant::now();
        let concern = waiter.messages.concern();
        Wait { waiter, start: now, pause: SHORTEST_PAUSE, sign: (None, now), _concern: concern }
    }

    fn has_paused(&self) -> bool {
        self.pause != SHORTEST_PAUSE
    }

    fn outcome(&self) -> Outcome {
        if self.has_paused() { Outcome::Waited } else { Outcome::Free }
    }

    /// Checks if the owner has renewed the file.
    fn look(&mut self, folder: &Folder, name: &OsStr) {
        // Opening the file makes a network file system ask its server.
        let renewed = folder.read(name).and_then(|file| file.metadata()?.modified()).ok();
        if renewed != self.sign.0 {
            self.sign = (renewed, Instant::now());
        }
    }

    fn is_given_up(&self) -> bool {
        self.sign.0 == Some(GIVEN_UP)
    }

    fn is_silent(&self) -> bool {
        self.sign.1.elapsed() >= self.waiter.patience
    }

    fn pause(&mut self, folder: &Folder, name: &OsStr) {
        thread::sleep(self.pause);
        self.pause = (self.pause * 5 / 4).min(LONGEST_PAUSE);
        self.announce(&folder.path().join(name), self.start.elapsed());
    }

    /// Tells the user about the wait once it takes long. Returns true if it did so now.
    fn announce(&self, path: &Path, waited: Duration) -> bool {
        let is_due = waited >= SILENCE && self.waiter.messages.allows(self.start + waited);
        if is_due {
            let kernel = readable(self.waiter.kernel);
            tracing::warn!("waiting for another process that compiles {kernel} (its lock is {})", path.display());
        }
        is_due
    }
}

fn acquire_by(method: Method, folder: &Folder, name: &OsStr, waiter: Waiter<'_>) -> io::Result<KeyLock> {
    let mut wait = Wait::new(waiter);
    // First, so that a failure leaves no file behind.
    let own = folder.duplicate()?;
    loop {
        if wait.has_paused() {
            wait.look(folder, name);
            if wait.is_given_up() {
                return Ok(KeyLock::unavailable());
            }
        }
        if let Some(file) = method.attempt(folder, name)? {
            return Ok(KeyLock::held(file, own, name, wait.outcome()));
        }
        if wait.has_paused() && wait.is_silent() {
            return method.take_over(own, name);
        }
        wait.pause(folder, name);
    }
}

/// Takes the lock `name` in a folder. Waits while its owner renews it often enough.
pub(super) fn acquire_in(folder: &Folder, name: &OsStr, waiter: Waiter<'_>) -> KeyLock {
    let lock = match acquire_by(Method::System, folder, name, waiter) {
        Err(error) if is_without_locks(&error) => acquire_by(Method::Existence, folder, name, waiter),
        result => result,
    };
    lock.unwrap_or_else(|_| KeyLock::unavailable())
}

/// Takes the lock at `path`, that of `kernel`. Waits while its owner renews it at least every
/// `patience`.
pub fn acquire(path: &Path, kernel: &str, patience: Duration) -> KeyLock {
    let place = path.parent().and_then(|folder| Folder::open(folder).ok()).zip(path.file_name());
    let messages = &Throttle::default();
    let take = |(folder, name): (Folder, &OsStr)| acquire_in(&folder, name, Waiter { kernel, patience, messages });
    place.map_or_else(KeyLock::unavailable, take)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const LONG: Duration = Duration::from_secs(10);
    const SHORT: Duration = Duration::from_millis(40);
    const METHODS: [Method; 2] = [Method::System, Method::Existence];

    fn take(method: Method, path: &Path, patience: Duration) -> KeyLock {
        let (folder, name) = (path.parent().expect("folder"), path.file_name().expect("name"));
        let (folder, messages) = (Folder::open(folder).expect("folder"), &Throttle::default());
        acquire_by(method, &folder, name, Waiter { kernel: "k", patience, messages }).expect("lock")
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
        // The first owner resumes and must not remove a file that is no longer its own.
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
    fn nobody_waits_for_a_lock_that_is_given_up() {
        let root = tempfile::tempdir().expect("folder");
        let path = &root.path().join("k.lock");
        for method in METHODS {
            let first = take(method, path, LONG);
            let outcomes = thread::scope(|scope| {
                let waiters: Vec<_> = (0..3).map(|_| scope.spawn(|| take(method, path, LONG))).collect();
                thread::sleep(Duration::from_millis(20));
                first.give_up();
                drop(first);
                let locks: Vec<_> = waiters.into_iter().map(|waiter| waiter.join().expect("waiter")).collect();
                locks.iter().map(|lock| lock.outcome).collect::<Vec<_>>()
            });
            assert_eq!(outcomes, [Outcome::Unavailable; 3], "{method:?}");
            fs::remove_file(path).expect("the file stays");
        }
    }

    #[test]
    fn the_next_owner_of_a_lock_that_was_given_up_is_waited_for() {
        let root = tempfile::tempdir().expect("folder");
        let path = &root.path().join("k.lock");
        for method in METHODS {
            let first = take(method, path, LONG);
            first.give_up();
            drop(first);
            thread::sleep(2 * LONGEST_PAUSE);
            let next = take(method, path, LONG);
            assert_eq!(next.outcome, Outcome::Free, "{method:?}");
            let waiting = thread::scope(|scope| {
                let waiter = scope.spawn(|| take(method, path, LONG));
                thread::sleep(Duration::from_millis(20));
                drop(next);
                waiter.join().expect("waiter")
            });
            assert_eq!(waiting.outcome, Outcome::Waited, "{method:?}");
        }
    }

    #[test]
    fn a_descriptor_that_cannot_be_had_leaves_no_file_behind() {
        /// A file of this name marks the working folder of the child process with few descriptors.
        const MARK: &str = "few-descriptors";
        if Path::new(MARK).exists() {
            return without_descriptors(Path::new("."));
        }
        let root = tempfile::tempdir().expect("folder");
        fs::write(root.path().join(MARK), "").expect("write");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -n 64 && exec \"$@\"", "sh"]).arg(std::env::current_exe().expect("program"));
        command.args(["a_descriptor_that_cannot_be_had_leaves_no_file_behind", "--test-threads=1"]);
        let output = command.current_dir(&root).output().expect("process");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(fs::read_dir(root.path()).expect("list").count(), 1);
    }

    /// Takes a lock in a process that can open only one more file.
    fn without_descriptors(root: &Path) {
        let folder = Folder::open(root).expect("folder");
        let mut files: Vec<_> = std::iter::from_fn(|| folder.duplicate().ok()).collect();
        drop(files.pop());
        let waiter = Waiter { kernel: "k", patience: LONG, messages: &Throttle::default() };
        for method in METHODS {
            assert!(acquire_by(method, &folder, OsStr::new("k.lock"), waiter).is_err(), "{method:?}");
        }
    }

    #[test]
    fn long_waits_of_all_threads_are_announced_together() {
        let (messages, path) = (&Throttle::default(), Path::new("/cache/ab/abcd.lock"));
        let wait = || Wait::new(Waiter { kernel: "k", patience: LONG, messages });
        let waits = [wait(), wait()];
        let given =
            [0, 999, 1000, 1500].map(|ms| waits.each_ref().map(|w| w.announce(path, Duration::from_millis(ms))));
        assert_eq!(given, [[false; 2], [false; 2], [true, false], [false; 2]]);
    }
}
