//! The caches that are only read.
//!
//! In: the folders that were asked for. Out: those that can be trusted. *Invariant:* root or the user owns what is served,
//! and nobody else can write to it. Nothing in these folders is changed.
#![forbid(unsafe_code)]

use super::{
    DirectoryProblem,
    directory::{self, Owners},
    files,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The folders to search, in order.
#[derive(Debug, Default)]
pub(super) struct Layers(Vec<PathBuf>);

/// Whether the folder may be used; says why not.
fn is_usable(folder: &Path) -> bool {
    match directory::check(folder, Owners::UserAndRoot) {
        Ok(()) => true,
        // A folder that is not mounted on this machine is no cause for worry.
        Err(DirectoryProblem::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            tracing::info!("no cache in {}", folder.display());
            false
        }
        Err(problem) => {
            tracing::warn!("SINTER_CACHE_DIRS: {problem}");
            false
        }
    }
}

impl Layers {
    /// Chooses the folders that can be trusted.
    pub(super) fn open(folders: &[PathBuf]) -> Self {
        Layers(folders.iter().filter(|folder| is_usable(folder)).cloned().collect())
    }

    /// The first of these files that `decode` accepts, and what is wrong with those before it.
    pub(super) fn find<T>(
        &self,
        name: &Path,
        decode: impl Fn(&[u8]) -> Result<T, String>,
    ) -> (Option<T>, Vec<(PathBuf, String)>) {
        let mut problems = Vec::new();
        for path in self.0.iter().map(|folder| folder.join(name)) {
            let bytes = files::read(&path, Owners::UserAndRoot, None);
            match bytes.map_err(|error| (files::is_missing(&error), error)) {
                Err((true, _)) => {}
                Err((false, error)) => problems.push((path, error.to_string())),
                Ok(bytes) => match decode(&bytes) {
                    Ok(found) => return (Some(found), problems),
                    Err(reason) => problems.push((path, reason)),
                },
            }
        }
        (None, problems)
    }
}
