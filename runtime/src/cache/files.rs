//! Reads and writes single files of a cache.
//!
//! *Invariant:* a file is read only if nobody but its owner, who is trusted, could have written it, and it appears under its
//! name complete. A file that is being written is locked, so that one whose writer died can be told and removed.
#![forbid(unsafe_code)]

use super::{directory::Owners, folder::Folder, names::TEMPORARY_PREFIX};
use rustix::fs::OFlags;
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, Read, Write},
    os::unix::fs::MetadataExt,
    process,
    time::{Duration, SystemTime},
};

/// No code object is larger; a longer file is damaged.
const MAX_ENTRY: u64 = 1 << 30;
/// Bytes that a cache must take to be one that can be written: more than most entries have.
const PROBE: usize = 64 << 10;

/// Checks that an open file is one that only a trusted owner could have written.
fn check_owner(metadata: &fs::Metadata, owners: Owners) -> io::Result<()> {
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o777);
    let reason = if !metadata.is_file() {
        "an entry is not a regular file".to_owned()
    } else if !owners.include(owner) {
        format!("an entry belongs to user {owner}")
    } else if mode & 0o022 != 0 {
        format!("an entry can be written by other users (mode {mode:03o})")
    } else {
        return Ok(());
    };
    Err(io::Error::other(reason))
}

/// O_NOFOLLOW is answered by the error for too many links, which would mislead.
fn name_link(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ELOOP) => io::Error::other("an entry is a symbolic link"),
        _ => error,
    }
}

/// Whether [`read`] could have read the file and did not trust it.
pub(super) fn is_distrusted(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Other
}

/// The content of a file. One that was last used more than `touch_after` ago, or in the future, gets the time of today.
pub(super) fn read(
    folder: &Folder,
    name: &OsStr,
    owners: Owners,
    touch_after: Option<Duration>,
) -> io::Result<Vec<u8>> {
    let file = folder.read(name).map_err(name_link)?;
    let metadata = file.metadata()?;
    check_owner(&metadata, owners)?;
    let size = metadata.len().min(MAX_ENTRY);
    let mut bytes = Vec::new();
    // An allocation that fails in any other way ends the process.
    bytes.try_reserve_exact(size as usize)?;
    (&file).take(size).read_to_end(&mut bytes)?;
    let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    // Without an age the time is in the future, and the entry would never be evicted.
    if touch_after.is_some_and(|limit| age.is_none_or(|age| age > limit)) {
        // Only the order of evictions suffers if this fails.
        let _ = file.set_modified(SystemTime::now());
    }
    Ok(bytes)
}

/// A name for a file that is being written, which no other process gives at the same time.
fn temporary_name() -> OsString {
    let mut hasher = RandomState::new().build_hasher();
    // The random numbers of a child that was forked are those of its parent.
    hasher.write_u32(process::id());
    format!("{TEMPORARY_PREFIX}{:016x}", hasher.finish()).into()
}

/// An empty file with a name of its own, which is locked for as long as it is open.
fn create_temporary(folder: &Folder) -> io::Result<(OsString, File)> {
    loop {
        let name = temporary_name();
        match folder.file(&name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
            Ok(file) => {
                // Without locks it is age that tells whether the writer is alive.
                let _ = file.try_lock();
                return Ok((name, file));
            }
        }
    }
}

/// Writes `bytes` to a file of a name of its own, which `finish` may give another; otherwise it is removed.
fn with_temporary(folder: &Folder, bytes: &[u8], finish: impl FnOnce(&OsStr) -> io::Result<bool>) -> io::Result<()> {
    let (name, mut file) = create_temporary(folder)?;
    let result = file.write_all(bytes).and_then(|()| finish(&name));
    if !matches!(result, Ok(true)) {
        // Whoever sweeps the cache next removes it if this fails.
        let _ = folder.remove(&name);
    }
    result.map(drop)
}

/// Writes a file under its final name in one step.
pub(super) fn write(folder: &Folder, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    with_temporary(folder, bytes, |temporary| folder.rename(temporary, name).map(|()| true))
}

/// Writes as much as an entry has, and takes it back. A file system that is full, a quota and a limit of this process show
/// in nothing else.
pub(super) fn probe(folder: &Folder) -> io::Result<()> {
    // Not zeros, which some file systems keep without any room.
    with_temporary(folder, &[0x5a; PROBE], |_| Ok(false))
}

/// Whether there is no such file, be it that another machine removed it while it was open here.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle)
}

/// Whether whoever had a file locked is gone. Where files cannot be locked, nobody is.
pub(super) fn is_abandoned(folder: &Folder, name: &OsStr) -> bool {
    folder.read(name).is_ok_and(|file| file.try_lock().is_ok())
}
