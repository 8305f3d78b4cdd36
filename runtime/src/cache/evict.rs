//! Keeps the cache below its limits.
//!
//! In: the files of the cache. Out: fewer of them. *Invariant:* the least recently used entry is
//! removed first. An entry may be removed while a process uses it, because it is read completely
//! before use; a file that a process is still writing may not.
#![forbid(unsafe_code)]

use super::{
    files,
    folder::Folder,
    ledger,
    list::{self, CacheFile, FileKind},
    names::FAILED_FOLDER,
};
use std::{
    ffi::OsStr,
    io,
    time::{Duration, SystemTime},
};

/// A lock or temporary file of this age is considered abandoned.
const STALE: Duration = Duration::from_secs(3600);
/// A lock or temporary file younger than this might not be locked by its owner yet.
const FRESH: Duration = Duration::from_secs(60);
/// Maximum number of kept requests of failed translations. Each holds the code of its translation
/// unit.
const MAX_FAILED: usize = 64;

/// Limits of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Total size of all files in bytes.
    pub bytes: u64,
    /// Time since the last use after which an entry is removed.
    pub age: Duration,
}

/// Plan of a sweep.
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    /// Files to remove.
    pub remove: Vec<CacheFile>,
    /// Files that stay.
    pub keep: Vec<CacheFile>,
}

fn bytes(files: &[CacheFile]) -> u64 {
    files.iter().map(|file| file.size).sum()
}

impl Sweep {
    /// Total size of the files to remove.
    pub fn removed_bytes(&self) -> u64 {
        bytes(&self.remove)
    }

    /// Total size of the files that stay.
    pub fn kept_bytes(&self) -> u64 {
        bytes(&self.keep)
    }

    /// Removes the files and records the remaining size of the cache in `folder`.
    pub fn run(&self, folder: &Folder) -> io::Result<()> {
        let now = SystemTime::now();
        self.remove.iter().for_each(|file| remove(folder, file));
        self.keep.iter().filter(|file| file.modified > now).for_each(|file| renew(folder, file, now));
        files::write(folder, OsStr::new(ledger::LEDGER), &ledger::after_sweep(self.kept_bytes(), now))
    }
}

/// True if a process may have the file open: a lock, or an entry that is being written.
fn is_working(file: &CacheFile) -> bool {
    matches!(file.kind, FileKind::Lock | FileKind::Temporary)
}

/// True if no process works on the file any more: its owner is gone, it was changed long ago, or it
/// was changed far in the future, which only a wrong clock does.
fn is_stale(file: &CacheFile, now: SystemTime) -> bool {
    let age = now.duration_since(file.modified).unwrap_or_else(|error| error.duration());
    age > STALE || file.is_abandoned && age > FRESH
}

fn remove(folder: &Folder, file: &CacheFile) {
    // Another process may have removed it already, which is as good.
    let _ = folder.within(&file.place, |folder, name| folder.remove(name));
}

/// Sort key for removal. Entries and lists come last, since only they are worth keeping; within
/// each group the oldest comes first.
fn order(file: &CacheFile) -> (bool, SystemTime) {
    (matches!(file.kind, FileKind::Entry | FileKind::List), file.modified)
}

/// Number of files to remove from the front, so that the rest has at most `limit` bytes.
fn surplus(files: &[CacheFile], limit: u64) -> usize {
    let mut used = bytes(files);
    let goes = |file: &&CacheFile| {
        let over = used > limit;
        used -= if over { file.size } else { 0 };
        over
    };
    files.iter().take_while(goes).count()
}

/// Chooses files to remove so that the rest is within `limits`. Files that the cache did not create
/// are in neither list.
pub fn plan(files: Vec<CacheFile>, limits: Limits, now: SystemTime) -> Sweep {
    let ours = files.into_iter().filter(|file| file.kind != FileKind::Other);
    let (working, files): (Vec<_>, Vec<_>) = ours.partition(is_working);
    let mut remove: Vec<_> = working.into_iter().filter(|file| is_stale(file, now)).collect();
    let (expired, mut keep): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.age(now) > limits.age);
    remove.extend(expired);
    keep.sort_by_key(order);
    let count = surplus(&keep, limits.bytes);
    remove.extend(keep.drain(..count));
    Sweep { remove, keep }
}

/// Removes files until the cache is within its limits. If it exceeds the size limit, it is reduced
/// to nine tenths of that, so that not every write has to sweep. Returns the remaining size in
/// bytes.
pub fn enforce(folder: &Folder, limits: Limits) -> io::Result<u64> {
    let (files, now) = (list::files_in(folder)?, SystemTime::now());
    let mut sweep = plan(files.clone(), limits, now);
    if sweep.remove.iter().any(|file| file.age(now) <= limits.age && !is_working(file)) {
        sweep = plan(files, Limits { bytes: limits.bytes - limits.bytes / 10, ..limits }, now);
    }
    sweep.run(folder).map(|()| sweep.kept_bytes())
}

/// Sets the time of a file to now, so that it ages. A time in the future comes from a wrong clock.
fn renew(folder: &Folder, file: &CacheFile, now: SystemTime) {
    // A failure affects only the order of evictions.
    let _ = folder.within(&file.place, |folder, name| folder.read(name)?.set_modified(now));
}

/// Removes the oldest requests of failed translations, so that the folder holds no more than
/// [`MAX_FAILED`].
pub(super) fn limit_failed(folder: &Folder) -> io::Result<()> {
    let mut requests = list::folder(folder, FAILED_FOLDER)?;
    requests.retain(|file| file.kind == FileKind::Request);
    requests.sort_by_key(|file| file.modified);
    let surplus = requests.len().saturating_sub(MAX_FAILED);
    requests[..surplus].iter().for_each(|file| remove(folder, file));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs::{self, File},
        path::{Path, PathBuf},
    };

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn set_time(path: &Path, time: SystemTime) {
        File::open(path).and_then(|file| file.set_modified(time)).expect("time");
    }

    fn enforce_in(root: &tempfile::TempDir, limits: Limits) -> u64 {
        enforce(&Folder::open(root.path()).expect("open"), limits).expect("enforce")
    }

    /// A cache with a file of 100 bytes for each name, modified the given number of seconds ago.
    fn cache(files: &[(&str, i64)]) -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().expect("folder");
        let folder = root.path().join("00");
        fs::create_dir(&folder).expect("folder");
        for (name, age) in files {
            fs::write(folder.join(name), [0; 100]).expect("write");
            let (now, distance) = (SystemTime::now(), Duration::from_secs(age.unsigned_abs()));
            set_time(&folder.join(name), if *age < 0 { now + distance } else { now - distance });
        }
        (root, folder)
    }

    fn names(root: &Path) -> Vec<String> {
        let name = |file: &CacheFile| file.path.file_name().expect("name").to_string_lossy().into_owned();
        list::files(root).expect("list").iter().map(name).collect()
    }

    fn limits(bytes: u64, age: Duration) -> Limits {
        Limits { bytes, age }
    }

    #[test]
    fn the_least_recently_used_entries_go_first() {
        let (root, _) = cache(&[("new.sco", 10), ("old.sco", 1000), ("used.sco", 100), ("x.bad", 1)]);
        assert_eq!(enforce_in(&root, limits(400, DAY)), 400);
        assert_eq!(enforce_in(&root, limits(250, DAY)), 200);
        assert_eq!(names(root.path()), ["new.sco", "used.sco"]);
    }

    #[test]
    fn what_was_not_used_for_long_goes() {
        let (root, _) = cache(&[("a.sco", 100_000), ("b.sco", 80_000), ("c.bad", 100_000), ("d.sinterq", 90_000)]);
        assert_eq!(enforce_in(&root, limits(1 << 20, DAY)), 100);
        assert_eq!(names(root.path()), ["b.sco"]);
    }

    #[test]
    fn what_another_process_is_writing_is_not_evicted() {
        let files = [(".tmpnew", 1), (".tmpold", 7200), ("a.lock", 1), ("b.lock", 7200), ("a.sco", 1)];
        let (root, _) = cache(&files);
        assert_eq!(enforce_in(&root, limits(1, DAY)), 0);
        assert_eq!(names(root.path()), [".tmpnew", "a.lock"]);
    }

    #[test]
    fn what_a_dead_process_left_goes_at_the_next_sweep() {
        let (root, folder) = cache(&[(".tmpdead", 120), (".tmpalive", 120), ("dead.lock", 120), ("alive.lock", 120)]);
        let in_root = root.path().join(".tmpnote");
        fs::write(&in_root, "").expect("write");
        set_time(&in_root, SystemTime::now() - Duration::from_secs(120));
        let alive = [".tmpalive", "alive.lock"].map(|name| File::open(folder.join(name)).expect("open"));
        alive.iter().for_each(|file| file.try_lock().expect("lock"));
        enforce_in(&root, limits(1 << 20, DAY));
        assert_eq!(names(root.path()), [".tmpalive", "alive.lock"]);
    }

    #[test]
    fn entries_from_the_future_age_from_now_on() {
        let (root, folder) = cache(&[("a.sco", -1_000_000), ("b.sco", 100)]);
        assert_eq!(enforce_in(&root, limits(1 << 20, DAY)), 200);
        let modified = fs::metadata(folder.join("a.sco")).expect("metadata").modified().expect("time");
        assert!(modified <= SystemTime::now());
        assert_eq!(enforce_in(&root, limits(150, DAY)), 100);
        assert_eq!(names(root.path()), ["a.sco"]);
    }

    #[test]
    fn what_the_cache_did_not_make_stays() {
        let (root, _) = cache(&[("a.sco", 100_000), ("letter.txt", 100_000)]);
        assert_eq!(enforce_in(&root, limits(1, DAY)), 0);
        assert_eq!(names(root.path()), ["letter.txt"]);
    }

    #[test]
    fn a_dry_run_removes_nothing_and_keeps_to_the_limit() {
        let (root, _) = cache(&[("a.sco", 3), ("b.sco", 2), ("c.sco", 1)]);
        let sweep = plan(list::files(root.path()).expect("list"), limits(250, DAY), SystemTime::now());
        assert_eq!((sweep.removed_bytes(), sweep.kept_bytes()), (100, 200));
        assert_eq!(names(root.path()).len(), 3);
    }

    #[test]
    fn only_the_newest_failed_requests_stay() {
        let root = tempfile::tempdir().expect("folder");
        fs::create_dir(root.path().join(FAILED_FOLDER)).expect("folder");
        for age in 0..MAX_FAILED as u64 + 3 {
            let path = root.path().join(FAILED_FOLDER).join(format!("{age:03}.sinterq"));
            fs::write(&path, "").expect("write");
            set_time(&path, SystemTime::now() - Duration::from_secs(age));
        }
        let folder = Folder::open(root.path()).expect("open");
        limit_failed(&folder).expect("limit");
        let left = list::folder(&folder, FAILED_FOLDER).expect("list");
        assert_eq!(left.len(), MAX_FAILED);
        assert!(left.iter().all(|file| !file.path.ends_with("066.sinterq")));
    }
}
