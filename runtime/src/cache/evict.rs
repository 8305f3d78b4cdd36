//! Keeps the cache below its size limit.
//!
//! In: the files of the cache. Out: fewer of them. *Invariant:* the least recently used entry goes first. An entry that a
//! process uses may be removed at any time, because it is read completely before it is used; what a process is writing may
//! not.
#![forbid(unsafe_code)]

use super::{
    TEMPORARY_PREFIX,
    list::{self, CacheFile, FileKind},
};
use std::{
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

/// Age at which a lock or temporary file has no owner any more.
const STALE: Duration = Duration::from_secs(3600);

/// Whether a process may hold the file open: a lock, or an entry that is being written.
fn is_working(file: &CacheFile) -> bool {
    let name = file.path.file_name().map_or(&b""[..], |name| name.as_encoded_bytes());
    file.kind == FileKind::Lock || name.starts_with(TEMPORARY_PREFIX.as_bytes())
}

/// Whether the file was changed long ago, or far in the future, which only a wrong clock does.
fn is_stale(file: &CacheFile, now: SystemTime) -> bool {
    let age = now.duration_since(file.modified).unwrap_or_else(|error| error.duration());
    age > STALE
}

/// Entries last, since only they are worth keeping; among equals the oldest first.
fn order(file: &CacheFile) -> (bool, SystemTime) {
    (file.kind == FileKind::Entry, file.modified)
}

/// Bytes in the cache.
pub fn usage(folder: &Path) -> io::Result<u64> {
    Ok(list::files(folder)?.iter().map(|file| file.size).sum())
}

/// Removes files until at most nine tenths of `limit` are used, so that not every write has to. Returns what is left.
pub fn enforce(folder: &Path, limit: u64) -> io::Result<u64> {
    let now = SystemTime::now();
    let (working, mut files): (Vec<_>, Vec<_>) = list::files(folder)?.into_iter().partition(is_working);
    let left_over = working.iter().filter(|file| is_stale(file, now));
    left_over.for_each(|file| drop(fs::remove_file(&file.path)));
    files.sort_by_key(order);
    let mut used: u64 = files.iter().map(|file| file.size).sum();
    let target = limit - limit / 10;
    for file in files {
        if used <= target {
            break;
        }
        // Another process may have removed it already; either way it is gone.
        let _ = fs::remove_file(&file.path);
        used -= file.size;
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entries_go_first() {
        let root = tempfile::tempdir().expect("folder");
        let folder = root.path().join("00");
        fs::create_dir(&folder).expect("folder");
        for (name, age) in [("new.sco", 10), ("old.sco", 1000), ("used.sco", 100), ("x.bad", 1)] {
            fs::write(folder.join(name), [0; 100]).expect("write");
            let file = fs::File::open(folder.join(name)).expect("open");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("time");
        }
        assert_eq!(usage(root.path()).expect("usage"), 400);
        assert_eq!(enforce(root.path(), 250).expect("enforce"), 200);
        let left: Vec<_> = list::files(root.path()).expect("list").iter().map(|f| f.path.clone()).collect();
        assert_eq!(left, [folder.join("new.sco"), folder.join("used.sco")]);
    }

    #[test]
    fn what_another_process_is_writing_is_not_evicted() {
        let root = tempfile::tempdir().expect("folder");
        let folder = root.path().join("00");
        fs::create_dir(&folder).expect("folder");
        for (name, age) in [(".tmpnew", 1), (".tmpold", 7200), ("a.lock", 1), ("b.lock", 7200), ("a.sco", 1)] {
            fs::write(folder.join(name), [0; 100]).expect("write");
            let file = fs::File::open(folder.join(name)).expect("open");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("time");
        }
        assert_eq!(enforce(root.path(), 1).expect("enforce"), 0);
        let left: Vec<_> = list::files(root.path()).expect("list").iter().map(|f| f.path.clone()).collect();
        assert_eq!(left, [folder.join(".tmpnew"), folder.join("a.lock")]);
    }
}
