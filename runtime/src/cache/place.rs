//! Keeps the cache folder open.
//!
//! In: where the cache may be. Out: the folder, opened and checked when it is first needed, and again when somebody removed it
//! or closed its descriptor. *Invariant:* what kept the folder from being opened is reported once and not remembered for
//! ever: a process may have been short of descriptors only for a moment.
#![forbid(unsafe_code)]

use super::{
    directory::{self, CacheLocation, DirectoryProblem},
    folder::Folder,
};
use crate::statistics::{Statistics, count};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

#[derive(Default)]
struct State {
    folder: Option<Arc<Folder>>,
    /// When it last could not be opened.
    failed: Option<Instant>,
    /// Whether the user knows where it is, or why it is nowhere.
    reported: bool,
}

/// The cache folder.
pub(super) struct Place {
    location: CacheLocation,
    retry: Duration,
    state: Mutex<State>,
    statistics: Arc<Statistics>,
}

impl Place {
    /// A folder at `location`, which is tried again after `retry` where it cannot be opened.
    pub(super) fn new(location: CacheLocation, retry: Duration, statistics: Arc<Statistics>) -> Self {
        Place { location, retry, state: Mutex::default(), statistics }
    }

    /// The folder.
    pub(super) fn get(&self) -> Option<Arc<Folder>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = state.folder.as_ref().filter(|folder| folder.is_intact()) {
            return Some(Arc::clone(folder));
        }
        if self.location.candidates.is_empty() {
            if !std::mem::replace(&mut state.reported, true) {
                tracing::info!("no disk cache ({})", self.location.reason);
            }
            return None;
        }
        if state.failed.is_some_and(|failed| failed.elapsed() < self.retry) {
            return None;
        }
        let (folder, problems) = directory::open(&self.location);
        let folder = folder.map(Arc::new);
        if !state.reported {
            self.report(folder.as_deref(), &problems);
        }
        *state = State { failed: folder.is_none().then(Instant::now), folder: folder.clone(), reported: true };
        folder
    }

    /// The folder's path, or the one that it would have.
    pub(super) fn path(&self) -> PathBuf {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let open = state.folder.as_ref().map(|folder| folder.path());
        open.or(self.location.candidates.first().map(PathBuf::as_path)).unwrap_or("".as_ref()).to_owned()
    }

    fn report(&self, folder: Option<&Folder>, problems: &[DirectoryProblem]) {
        let reasons = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let Some(folder) = folder else {
            count(&self.statistics.cache_errors);
            return tracing::warn!("no disk cache, kernels stay in this process only: {reasons}");
        };
        if !problems.is_empty() {
            tracing::warn!("the cache is in {}: {reasons}", folder.path().display());
        }
    }
}
