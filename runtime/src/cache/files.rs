//! Reads and writes single files of a cache.
//!
//! *Invariant:* a file is read only if nobody except its trusted owner could have written it, and
//! it appears under its final name only when it is complete. A file that is being written is
//! locked, so that one whose writer died can be recognised and removed.
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

/// No code object is larger, in bytes; a longer file is damaged.
const MAX_ENTRY: u64 = 1 << 30;
/// Size in bytes of the test write that shows if a cache accepts entries: more than most entries
/// have.
const PROBE: usize = 64 << 10;

/// Rejects an open file that a user outside `owners` could have written.
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

/// Replaces the error of O_NOFOLLOW ("too many links"), which would mislead, by one that names the
/// link.
fn name_link(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ELOOP) => io::Error::other("an entry is a symbolic link"),
        _ => error,
    }
}

/// True if [`read`] rejected the file as untrusted, as opposed to failing to read it.
pub(super) fn is_distrusted(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Other
}

/// Content of a file. If it was last used more than `touch_after` ago, or in the future, its time
/// is set to now.
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
    // Any other way of allocating aborts the process on failure.
    bytes.try_reserve_exact(size as usize)?;
    (&file).take(size).read_to_end(&mut bytes)?;
    let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    // `None` means a time in the future; left alone, the entry would never be evicted.
    if touch_after.is_some_and(|limit| age.is_none_or(|age| age > limit)) {
        // A failure affects only the order of evictions.
        let _ = file.set_modified(SystemTime::now());
    }
    Ok(bytes)
}

/// A temporary file name that no other process chooses at the same time.
fn temporary_name() -> OsString {
    let mut hasher = RandomState::new().build_hasher();
    // A forked child has the same random state as its parent.
    hasher.write_u32(process::id());
    format!("{TEMPORARY_PREFIX}{:016x}", hasher.finish()).into()
}

/// Creates an empty file with a unique name, locked for as long as it is open.
fn create_temporary(folder: &Folder) -> io::Result<(OsString, File)> {
    loop {
        let name = temporary_name();
        match folder.file(&name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
            Ok(file) => {
                // Without locks, the age of the file tells if its writer is alive.
                let _ = file.try_lock();
                return Ok((name, file));
            }
        }
    }
}

/// Writes `bytes` to a file with a unique name. `finish` may rename it and returns true if it did;
/// otherwise the file is removed.
fn with_temporary(folder: &Folder, bytes: &[u8], finish: impl FnOnce(&OsStr) -> io::Result<bool>) -> io::Result<()> {
    let (name, mut file) = create_temporary(folder)?;
    let result = file.write_all(bytes).and_then(|()| finish(&name));
    if !matches!(result, Ok(true)) {
        // If this fails, the next sweep removes it.
        let _ = folder.remove(&name);
    }
    result.map(drop)
}

/// Writes a file and renames it to its final name, so that readers never see a partial one.
pub(super) fn write(folder: &Folder, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    with_temporary(folder, bytes, |temporary| folder.rename(temporary, name).map(|()| true))
}

/// Writes as much as an entry needs, and removes it again. Nothing else reveals a full file system,
/// a quota or a resource limit of the process.
pub(super) fn probe(folder: &Folder) -> io::Result<()> {
    // Not zeros, which some file systems store without allocating blocks.
    with_temporary(folder, &[0x5a; PROBE], |_| Ok(false))
}

/// True if the file does not exist, including one that another machine removed while it was open
/// here.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle)
}

/// True if the process that locked the file is gone. Always false where files cannot be locked.
pub(super) fn is_abandoned(folder: &Folder, name: &OsStr) -> bool {
    folder.read(name).is_ok_and(|file| file.try_lock().is_ok())
}
