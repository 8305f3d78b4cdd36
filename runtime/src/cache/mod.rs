//! Keeps code objects on disk, so that a later process translates nothing.
//!
//! In: a key. Out: the code object stored under it, or nothing. *Invariant:* no failure of the file system reaches a
//! launch. What cannot be read is translated again, what cannot be written stays in this process, and each kind of
//! trouble is reported once.
#![forbid(unsafe_code)]

pub mod directory;
pub mod entry;
pub mod evict;
mod files;
pub mod folder;
mod layers;
mod ledger;
pub mod list;
pub mod lock;
mod place;
mod store;

pub use directory::{CacheLocation, DirectoryProblem};
pub use entry::EntryError;
pub use evict::Limits;
pub use store::{DiskCache, DiskCacheOptions, Hit, Layer};

/// File name extension of an entry.
pub const ENTRY_EXTENSION: &str = "sco";
/// File name extension of a damaged entry that was set aside.
pub const QUARANTINE_EXTENSION: &str = "bad";
/// File name extension of a lock.
pub const LOCK_EXTENSION: &str = "lock";
/// File name extension of the request of a failed translation.
pub const REQUEST_EXTENSION: &str = "sinterq";
/// How the name of a file that is being written starts.
const TEMPORARY_PREFIX: &str = ".tmp";
/// Folder that holds the requests of failed translations.
pub const FAILED_FOLDER: &str = "failed";
