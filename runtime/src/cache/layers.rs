//! The caches that are only read.
//!
//! In: the folders that were asked for. Out: the first file of a name in them that can be trusted. *Invariant:* root or the
//! user owns what is served, and nobody else can write to it. Nothing in these folders is changed. A folder is opened and
//! checked whenever it is looked into, so that what took its place meanwhile is checked as well.
#![forbid(unsafe_code)]

use super::{
    directory::{self, DirectoryProblem, Owners},
    files,
};
use crate::system::is_passing;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The folders to search, in order.
#[derive(Debug, Default)]
pub(super) struct Layers(Vec<PathBuf>);

/// Whether the folder may be used; says why not.
fn is_usable(folder: &Path) -> bool {
    match directory::open_checked(folder, Owners::UserAndRoot) {
        Ok(_) => {
            directory::exposure(folder).inspect(|exposure| tracing::warn!("SINTER_CACHE_DIRS: {exposure}"));
            true
        }
        // A folder that is not mounted on this machine is no cause for worry.
        Err(DirectoryProblem::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            tracing::info!("no cache in {}", folder.display());
            false
        }
        // One that cannot be looked at now may be there for the next kernel.
        Err(DirectoryProblem::Io { source, .. }) if is_passing(&source) => true,
        Err(problem) => {
            tracing::warn!("SINTER_CACHE_DIRS: {problem}");
            false
        }
    }
}

/// The content of a file, or why there is none; nothing to say if it is not there.
fn read(folder: &Path, name: &Path) -> Result<Vec<u8>, Option<String>> {
    let said = |error: io::Error| (!files::is_missing(&error)).then(|| error.to_string());
    let folder = directory::open_checked(folder, Owners::UserAndRoot).map_err(|problem| match problem {
        DirectoryProblem::Io { source, .. } => said(source),
        problem => Some(problem.to_string()),
    })?;
    folder.within(name, |folder, name| files::read(folder, name, Owners::UserAndRoot, None)).map_err(said)
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
        for folder in &self.0 {
            match read(folder, name).and_then(|bytes| decode(&bytes).map_err(Some)) {
                Ok(found) => return (Some(found), problems),
                Err(reason) => problems.extend(reason.map(|reason| (folder.join(name), reason))),
            }
        }
        (None, problems)
    }
}
