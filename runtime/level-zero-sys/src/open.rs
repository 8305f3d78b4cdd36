//! Finds the loader.
//!
//! In: a path, or nothing. Out: the function table, or the names that were tried and the system's
//! message. *Invariant:* as for [`sinter_dylib::open`].

use crate::Api;
pub use sinter_dylib::open::OpenError;
use sinter_dylib::open::open;
use std::path::Path;

/// File name of the loader.
pub const NAME: &str = "libze_loader.so.1";

impl Api {
    /// Opens the loader, or a library at `path` that implements its functions.
    pub fn open(path: Option<&Path>) -> Result<Self, OpenError> {
        open(path, &[NAME], || vec![NAME.into()], Api::resolve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_loader_says_what_was_tried() {
        let error = Api::open(Some(Path::new("/no/such/loader.so"))).map(drop).expect_err("no loader");
        let OpenError::NotLoaded { tried, reason } = error else { panic!("{error:?}") };
        assert!(tried[0].ends_with("loader.so") && reason.contains("No such file"), "{reason}");
    }

    #[test]
    fn another_library_lacks_functions() {
        let error = Api::open(Some(Path::new("libc.so.6"))).map(drop).expect_err("no loader");
        assert_eq!(error, OpenError::TooOld { path: Some("libc.so.6".into()), symbol: "zeInit" });
    }
}
