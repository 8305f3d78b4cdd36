//! Finds the library.
//!
//! In: a path, or nothing. Out: the function table, or the names that were tried and the system's
//! message. *Invariant:* as for [`sinter_dylib::open`].

use crate::Api;
pub use sinter_dylib::open::OpenError;
use sinter_dylib::open::open;
use std::path::{Path, PathBuf};

/// File names of the library: the versioned one and the development link.
pub const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

impl Api {
    /// Opens the library at `path`, or else one that the program has loaded, or else the installed
    /// one.
    pub fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        open(path, &NAMES, || NAMES.iter().map(PathBuf::from).collect(), Api::resolve)
    }
}
