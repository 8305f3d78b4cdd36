//! Finds an installation of Sinter.
//!
//! In: an explicit folder, `SINTER_HOME`, `PATH`. Out: the folder that holds `bin/sinter-cc`.
//! *Invariant:* if a folder was named, no other is tried.

use crate::{cargo, error::BuildError};
use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

const COMPILER: &str = "sinter-cc";
const RUNTIME: &str = "libsinter.so";

/// An installation of Sinter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    root: PathBuf,
}

impl Installation {
    /// The installation in `explicit`, or else the one that the environment names.
    pub(crate) fn find(explicit: Option<&Path>) -> Result<Self, BuildError> {
        let home = explicit.map(Path::to_owned).or_else(|| cargo::variable("SINTER_HOME").map(PathBuf::from));
        Self::search(home.as_deref(), &cargo::variable("PATH").unwrap_or_default())
    }

    fn search(home: Option<&Path>, path: &OsStr) -> Result<Self, BuildError> {
        let candidates: Vec<PathBuf> = match home {
            Some(home) => vec![home.join("bin").join(COMPILER)],
            None => env::split_paths(path).map(|folder| folder.join(COMPILER)).collect(),
        };
        let found = candidates.iter().find(|candidate| candidate.is_file());
        // A symbolic link in PATH is resolved to the installation.
        let program = found.and_then(|program| program.canonicalize().ok());
        let root = program.as_deref().and_then(Path::parent).and_then(Path::parent);
        root.map(|root| Installation { root: root.to_owned() }).ok_or(BuildError::NotFound(candidates))
    }

    pub(crate) fn compiler(&self) -> PathBuf {
        self.root.join("bin").join(COMPILER)
    }

    /// Checks that the installation has the runtime library, which programs link.
    pub(crate) fn with_runtime(self) -> Result<Self, BuildError> {
        let library = self.libraries().join(RUNTIME);
        if library.is_file() { Ok(self) } else { Err(BuildError::Incomplete(library)) }
    }

    /// The folder that holds the translator.
    pub(crate) fn libraries(&self) -> PathBuf {
        self.root.join("lib")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn a_named_folder_wins_and_links_are_followed() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let root = folder.path().canonicalize().expect("path");
        let (home, links) = (root.join("sinter"), root.join("links"));
        fs::create_dir_all(home.join("bin")).expect("folder");
        fs::create_dir(&links).expect("folder");
        fs::write(home.join("bin/sinter-cc"), "").expect("file");
        symlink(home.join("bin/sinter-cc"), links.join("sinter-cc")).expect("link");
        let expected = Installation { root: home.clone() };
        assert_eq!(Installation::search(Some(&home), OsStr::new("/nowhere")).expect("found"), expected);
        assert_eq!(Installation::search(None, links.as_os_str()).expect("found"), expected);
        assert_eq!(expected.libraries(), home.join("lib"));
        let message = Installation::search(Some(&links), links.as_os_str()).expect_err("absent").to_string();
        assert!(message.contains("links/bin/sinter-cc") && message.contains("SINTER_HOME"), "{message}");
        let message = expected.with_runtime().expect_err("no library").to_string();
        assert!(message.contains("lib/libsinter.so") && message.contains("archive"), "{message}");
    }

    #[test]
    fn without_a_hint_the_error_says_what_to_set_and_where_to_get_it() {
        let message = Installation::search(None, OsStr::new("/nowhere:/neither")).expect_err("absent").to_string();
        for part in ["SINTER_HOME is not set", "2 folders of PATH", "-x86_64.tar.xz", "cargo xtask build"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
