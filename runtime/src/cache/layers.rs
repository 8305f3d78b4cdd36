//! Read-only caches below the user's cache.
//!
//! In: the requested folders. Out: the first trusted file of a name in them. *Invariant:* root or
//! the user owns everything that is served, and nobody else can write to it. These folders are
//! never changed. A folder is opened and checked on every lookup, so that a replacement is checked
//! as well.
#![forbid(unsafe_code)]

use super::{
    directory::{self, DirectoryProblem, Owners},
    files,
};
use crate::system::is_transient;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Folders, in search order.
#[derive(Debug, Default)]
pub(super) struct Layers(Vec<PathBuf>);

/// True if the folder may be used; otherwise logs the reason.
fn is_usable(folder: &Path) -> bool {
    match directory::open_checked(folder, Owners::UserAndRoot) {
        Ok(_) => {
            directory::exposure(folder).inspect(|exposure| tracing::warn!("SINTER_CACHE_DIRS: {exposure}"));
            true
        }
        // A folder that is not mounted on this machine is not worth a warning.
        Err(DirectoryProblem::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            tracing::info!("no cache in {}", folder.display());
            false
        }
        // A folder that cannot be inspected now may be available for the next kernel.
        Err(DirectoryProblem::Io { source, .. }) if is_transient(&source) => true,
        Err(problem) => {
            tracing::warn!("SINTER_CACHE_DIRS: {problem}");
            false
        }
    }
}

/// Content of a file. The error is a reason, or `None` if the file does not exist.
fn read(folder: &Path, name: &Path) -> Result<Vec<u8>, Option<String>> {
    let message = |error: io::Error| (!files::is_missing(&error)).then(|| error.to_string());
    let folder = directory::open_checked(folder, Owners::UserAndRoot).map_err(|problem| match problem {
        DirectoryProblem::Io { source, .. } => message(source),
        problem => Some(problem.to_string()),
    })?;
    folder.within(name, |folder, name| files::read(folder, name, Owners::UserAndRoot, None)).map_err(message)
}

impl Layers {
    /// Keeps the folders that can be trusted.
    pub(super) fn open(folders: &[PathBuf]) -> Self {
        Layers(folders.iter().filter(|folder| is_usable(folder)).cloned().collect())
    }

    /// First of these files that `decode` accepts, with the problems of those before it.
    pub(super) fn find<T>(
        &self,
        name: &Path,
        decode: impl Fn(&[u8]) -> Result<T, String>,
    ) -> (Option<T>, Vec<(PathBuf, String)>) {
        let mut problems = Vec::new();
        for folder in &self.0 {
            match read(folder, name).and_then(|bytes| decode(&bytes).map_err(Some)) {
                Ok(found) => return (Some(found), problems),
                Err(reason) => problems.extend(reason.map(|reason| (folder.join(name), reason))),
            }
        }
        (None, problems)
    }
}
