//! Finds the library.
//!
//! In: a path, or nothing. Out: the table of functions, or what was looked for and what the system said. *Invariant:* as for
//! [`sinter_dylib::open`].

use crate::Api;
pub use sinter_dylib::open::OpenError;
use sinter_dylib::open::open;
use std::path::{Path, PathBuf};

/// The library's names: that of its interface, and that of developers.
pub const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

impl Api {
    /// Opens the library: that at `path`, or the one that the program has loaded, or the installed one.
    pub fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        open(path, &NAMES, || NAMES.iter().map(PathBuf::from).collect(), Api::resolve)
    }
}
