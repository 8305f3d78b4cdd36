//! Replaces quick code of kernels by full code, between launches.
//!
//! In: a kernel in the table, and the upgrade of its code. Out: another entry for the same
//! launches. *Invariant:* a launch uses one code to its end. Nothing here reads memory of the
//! program, which may unload the kernel at any time; then the full code is dropped, or only stored.
#![forbid(unsafe_code)]

use super::{
    Launcher,
    table::{Entry, HotKey},
};
use crate::{
    abi,
    background::{Job, Purpose, Worker},
    code::{Upgrade, Waiting},
    devices::DeviceEntry,
    error::RuntimeError,
    statistics::VariantRecord,
};
use std::sync::{Arc, Weak, atomic::Ordering};

impl Launcher {
    /// Has full code made in the background.
    pub(super) fn improve(
        &self,
        key: HotKey,
        entry: &Arc<Entry>,
        container: *const abi::Container,
        device: &Arc<DeviceEntry>,
        upgrade: Option<Upgrade>,
    ) {
        let (Some(upgrade), Some(record)) = (upgrade, record_of(entry)) else { return };
        let (launcher, device, entry) = (Weak::clone(&self.own), Arc::clone(device), Arc::clone(entry));
        let run = move |worker| {
            let Some(launcher) = launcher.upgrade() else { return };
            if let Err(error) = launcher.swap(&key, &entry, &device, &upgrade, worker) {
                tracing::warn!("a kernel keeps its quick code: {}", error.chain());
            }
        };
        let importance = Box::new(move || record.launches.load(Ordering::Relaxed));
        let (owner, purpose) = (container.addr(), Purpose::Use);
        self.background.submit(Job { owner, purpose, importance, run: Box::new(run) });
    }

    fn swap(
        &self,
        key: &HotKey,
        old: &Arc<Entry>,
        device: &DeviceEntry,
        upgrade: &Upgrade,
        worker: Worker,
    ) -> Result<(), RuntimeError> {
        let Entry::Kernel(bound) = &**old else { return Ok(()) };
        if !self.table.has(key, old) {
            return Ok(());
        }
        let waiting = match worker {
            Worker::Background => Waiting::Nobody,
            Worker::Waiting => Waiting::Launch,
        };
        let loaded = self.kernels.finish(device, upgrade, waiting)?;
        if !self.table.has(key, old) {
            return Ok(());
        }
        if self.table.replace(key, old, Entry::Kernel(bound.with_code(loaded, &self.statistics)?)) {
            tracing::debug!("full code replaced quick code");
        }
        Ok(())
    }

    /// Returns when every kernel launched so far has the code that it keeps.
    pub(crate) fn wait_for_upgrades(&self) {
        self.background.wait();
    }
}

/// The record of the kernel in an entry.
fn record_of(entry: &Entry) -> Option<Arc<VariantRecord>> {
    match entry {
        Entry::Kernel(bound) => Some(Arc::clone(&bound.record)),
        Entry::Asks(_) => None,
    }
}
