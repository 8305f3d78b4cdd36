//! How the files of a cache folder are called.
#![forbid(unsafe_code)]

/// File name extension of an entry.
pub const ENTRY_EXTENSION: &str = "sco";
/// File name extension of a damaged entry that was set aside.
pub const QUARANTINE_EXTENSION: &str = "bad";
/// File name extension of a lock.
pub const LOCK_EXTENSION: &str = "lock";
/// File name extension of the request of a failed translation.
pub const REQUEST_EXTENSION: &str = "sinterq";
/// How the name of a file that is being written starts.
pub(super) const TEMPORARY_PREFIX: &str = ".tmp";
/// Folder that holds the requests of failed translations.
pub const FAILED_FOLDER: &str = "failed";
