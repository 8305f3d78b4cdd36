//! Keeps the cache folder open.
//!
//! In: candidate folders. Out: the folder, opened and checked on first use, and again after it was
//! removed or its descriptor was closed. *Invariant:* a failure to open the folder is reported once
//! but not remembered for ever: the process may have run out of descriptors only briefly.
#![forbid(unsafe_code)]

use super::{
    directory::{self, CacheLocation, DirectoryProblem},
    folder::Folder,
};
use crate::{
    settings::CacheMode,
    statistics::{Statistics, count},
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

#[derive(Default)]
struct State {
    folder: Option<Arc<Folder>>,
    /// Time of the last failure to open it.
    failed: Option<Instant>,
    /// True once the user was told the path, or the reason why there is none.
    reported: bool,
}

/// The cache folder, opened on first use.
pub(super) struct Place {
    location: CacheLocation,
    mode: CacheMode,
    retry: Duration,
    state: Mutex<State>,
    statistics: Arc<Statistics>,
}

impl Place {
    /// A folder at `location`. After a failure, opening is tried again when `retry` has passed.
    pub(super) fn new(location: CacheLocation, mode: CacheMode, retry: Duration, statistics: Arc<Statistics>) -> Self {
        Place { location, mode, retry, state: Mutex::default(), statistics }
    }

    /// The open folder; `None` if it cannot be opened now.
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
        let (folder, problems) = directory::open(&self.location, self.mode);
        let folder = folder.map(Arc::new);
        if !state.reported {
            self.report(folder.as_deref(), &problems);
        }
        *state = State { failed: folder.is_none().then(Instant::now), folder: folder.clone(), reported: true };
        folder
    }

    /// Path of the open folder, or of the one that would be opened.
    pub(super) fn path(&self) -> PathBuf {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let open = state.folder.as_ref().map(|folder| folder.path());
        open.or(self.location.candidates.first().map(PathBuf::as_path)).unwrap_or("".as_ref()).to_owned()
    }

    fn report(&self, folder: Option<&Folder>, problems: &[DirectoryProblem]) {
        let reasons = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let Some(folder) = folder else {
            if problems.is_empty() {
                return tracing::info!("no disk cache: none exists, and SINTER_CACHE=readonly creates none");
            }
            count(&self.statistics.cache_errors);
            return tracing::warn!("no disk cache, kernels stay in this process only: {reasons}");
        };
        if !problems.is_empty() {
            tracing::warn!("the cache is in {}: {reasons}", folder.path().display());
        }
    }
}
