//! Finds the library.
//!
//! In: a path, or folders of ROCm installations. Out: the function table, or the names that were
//! tried and the system's message. *Invariant:* as for [`sinter_dylib::open`].

use crate::Api;
pub use sinter_dylib::open::OpenError;
use sinter_dylib::open::open;
use std::path::{Path, PathBuf};

/// File names of the library: the development link and the known versions.
pub const NAMES: [&str; 4] = ["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"];

/// Places to try: the names, then the folders of installations.
fn candidates(installations: &[PathBuf]) -> Vec<PathBuf> {
    let named = NAMES.iter().map(PathBuf::from);
    let placed = installations.iter().flat_map(|folder| NAMES.iter().map(move |name| folder.join("lib").join(name)));
    named.chain(placed).collect()
}

impl Api {
    /// Opens the library at `path`, or else one that the program has loaded, or else the installed
    /// one.
    pub fn open(path: Option<&Path>, installations: &[PathBuf]) -> Result<Self, OpenError> {
        open(path, &NAMES, || candidates(installations), Api::resolve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_folders() {
        let paths = candidates(&["/opt/rocm".into()]);
        assert_eq!(paths[..2], ["libamdhip64.so", "libamdhip64.so.7"].map(PathBuf::from));
        assert_eq!(paths[4..6], ["/opt/rocm/lib/libamdhip64.so", "/opt/rocm/lib/libamdhip64.so.7"].map(PathBuf::from));
    }
}
