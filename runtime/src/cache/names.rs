//! File names in a cache folder.
#![forbid(unsafe_code)]

/// Extension of an entry.
pub const ENTRY_EXTENSION: &str = "sco";
/// Extension of a damaged entry that was set aside.
pub const QUARANTINE_EXTENSION: &str = "bad";
/// Extension of a lock.
pub const LOCK_EXTENSION: &str = "lock";
/// Extension of the request of a failed translation.
pub const REQUEST_EXTENSION: &str = "sinterq";
/// Extension of a list of the kernels that a program launched.
pub const LIST_EXTENSION: &str = "launched";
/// Prefix of a file that is being written.
pub(super) const TEMPORARY_PREFIX: &str = ".tmp";
/// Subfolder for requests of failed translations.
pub const FAILED_FOLDER: &str = "failed";
