//! The folder for the IR after each step of translations, if dumps are enabled.
//!
//! *Invariant:* a folder that cannot be written is reported once, here, because the translator
//! cannot report it.
#![forbid(unsafe_code)]

use sinter_core::Observer;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Once,
};

/// Observer of translations.
pub(super) struct Dump {
    observer: Observer,
    checked: Once,
}

/// Creates a folder, and checks that it is writable by creating and removing a file.
fn make_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop))
}

impl Dump {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Dump { observer: Observer { dump: folder }, checked: Once::new() }
    }

    /// Observer to pass to a translation.
    pub(super) fn observer(&self) -> &Observer {
        if let Some(folder) = &self.observer.dump {
            self.checked.call_once(|| {
                if let Err(error) = make_writable(folder) {
                    tracing::warn!("SINTER_DUMP: nothing can be written to {}: {error}", folder.display());
                }
            });
        }
        &self.observer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_cannot_take_a_dump_are_found() {
        let root = tempfile::tempdir().expect("folder");
        let (made, file) = (root.path().join("a/b"), root.path().join("file"));
        fs::write(&file, "").expect("write");
        make_writable(&made).expect("a folder is made");
        assert_eq!(fs::read_dir(&made).expect("folder").count(), 0);
        assert!(make_writable(&file).is_err() && make_writable(&file.join("below")).is_err());
        assert!(make_writable(Path::new("/proc/no-such-folder")).is_err());
    }
}
