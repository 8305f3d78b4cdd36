//! Finds the library.
//!
//! In: a path, or nothing. Out: the table of functions, or what was looked for and what the system said. *Invariant:* as for
//! [`sinter_driver_common::open`].

use crate::Api;
use sinter_driver_common::open::{self, NotLoaded};
use std::path::{Path, PathBuf};

/// The library's names: that of its interface, and that of developers.
pub const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

/// Why there is no table of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// No library could be loaded.
    NotLoaded(NotLoaded),
    /// The library lacks a function.
    TooOld {
        /// The function.
        symbol: &'static str,
    },
}

impl Api {
    /// Opens the library: that at `path`, or the one that the program has loaded, or the installed one.
    pub fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        let names = || NAMES.iter().map(PathBuf::from).collect();
        let library = open::open(path, &NAMES, names).map_err(OpenError::NotLoaded)?;
        Api::resolve(library).map_err(|symbol| OpenError::TooOld { symbol })
    }
}
