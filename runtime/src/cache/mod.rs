//! Stores code objects on disk, so that a later process need not translate.
//!
//! In: a key. Out: the code object stored under it, or nothing. *Invariant:* no failure of the file
//! system reaches a launch. An entry that cannot be read is translated again, one that cannot be
//! written stays in this process, and each kind of failure is reported once.
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
mod names;
mod place;
mod store;

pub use directory::{CacheLocation, DirectoryProblem};
pub use entry::EntryError;
pub use evict::Limits;
pub use names::{
    ENTRY_EXTENSION, FAILED_FOLDER, LIST_EXTENSION, LOCK_EXTENSION, QUARANTINE_EXTENSION, REQUEST_EXTENSION,
};
pub use store::{DiskCache, DiskCacheOptions, Hit, Layer};
