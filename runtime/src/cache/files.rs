//! Reads and writes single files of a cache.
//!
//! *Invariant:* a file is read only if nobody but its owner, who is trusted, could have written it, and it appears under its
//! name complete.
#![forbid(unsafe_code)]

use super::{
    TEMPORARY_PREFIX,
    directory::{self, Owners},
};
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
    time::{Duration, SystemTime},
};

/// No code object is larger; a longer file is damaged.
const MAX_ENTRY: u64 = 1 << 30;

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
pub(super) fn read(path: &Path, owners: Owners, touch_after: Option<Duration>) -> io::Result<Vec<u8>> {
    // Without O_NONBLOCK a named pipe in the place of an entry would be waited for.
    let opened = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
    let file = opened.map_err(name_link)?;
    let metadata = file.metadata()?;
    check_owner(&metadata, owners)?;
    let size = metadata.len().min(MAX_ENTRY);
    let mut bytes = Vec::with_capacity(size as usize);
    (&file).take(size).read_to_end(&mut bytes)?;
    let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    // Without an age the time is in the future, and the entry would never be evicted.
    if touch_after.is_some_and(|limit| age.is_none_or(|age| age > limit)) {
        // Only the order of evictions suffers if this fails.
        let _ = file.set_modified(SystemTime::now());
    }
    Ok(bytes)
}

/// Writes a file under its final name in one step.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    directory::create_private(folder)?;
    let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Whether there is no such file, be it that another machine removed it while it was open here.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle)
}
