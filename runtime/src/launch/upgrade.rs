//! Replaces quick code of kernels by full code.
//!
//! In: a kernel in the table, and the upgrade of its code. Out: another entry for the same
//! launches, and other code for the work-groups of launches that are not over. *Invariant:* a
//! work-group uses one code to its end. Nothing here reads memory of the program, which may unload
//! the kernel at any time; then the full code is dropped, or only stored.
#![forbid(unsafe_code)]

use super::{
    Launcher,
    bound::{Bound, Leads},
    table::{Entry, HotKey},
};
use crate::{
    abi,
    background::{Job, Purpose, Worker},
    code::{Upgrade, Waiting, tiers::JitMode},
    devices::DeviceEntry,
    error::RuntimeError,
    statistics::{Reason, Source},
};
use sinter_core::OptLevel;
use std::{
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

/// Full code follows stored quick code after this time, so that programs which end before open no
/// translator.
const AFTER_STORED: Duration = Duration::from_millis(50);

impl From<Worker> for Waiting {
    fn from(worker: Worker) -> Self {
        match worker {
            Worker::Background => Waiting::Nobody,
            Worker::Waiting => Waiting::Launch,
        }
    }
}

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
        let (Some(upgrade), Entry::Kernel(bound)) = (upgrade, &**entry) else { return };
        let (record, leads) = (Arc::clone(&bound.record), Arc::clone(&bound.leads));
        let (launcher, device) = (Weak::clone(&self.own), Arc::clone(device));
        let run = move |worker| {
            let Some(launcher) = launcher.upgrade() else { return };
            if let Err(error) = launcher.swap(&key, &leads, &device, &upgrade, worker) {
                tracing::warn!("a kernel keeps its quick code: {}", error.chain());
            }
        };
        let delay = if bound.record.source == Source::Translated { Duration::ZERO } else { AFTER_STORED };
        let importance = Box::new(move || record.launches.load(Ordering::Relaxed));
        let (owner, purpose) = (container.addr(), Purpose::Use);
        self.background.submit(Job { owner, purpose, importance, delay, run: Box::new(run) });
    }

    fn swap(
        &self,
        key: &HotKey,
        leads: &Arc<Leads>,
        device: &DeviceEntry,
        upgrade: &Upgrade,
        worker: Worker,
    ) -> Result<(), RuntimeError> {
        if self.bound(key, leads).is_none_or(|bound| bound.record.level != OptLevel::O1) {
            return Ok(());
        }
        let made = || self.kernels.finish(device, upgrade, worker.into()).map(Some);
        let Some(loaded) = self.told_of_other(device, (upgrade.variant(), Reason::Upgrade), made)? else {
            return Ok(());
        };
        let (quick, full) = match self.bound(key, leads) {
            Some(bound) if bound.record.level == OptLevel::O1 => {
                let full = bound.with_code(loaded, &self.statistics)?;
                (bound.kernel, full)
            }
            _ => return Ok(()),
        };
        quick.continue_with(&full.kernel);
        self.change(key, leads, |bound| full.in_place_of(bound));
        self.outdate_required(key);
        tracing::debug!("full code replaced quick code");
        Ok(())
    }

    /// Has launches that require code look again, because they may have found quick code.
    fn outdate_required(&self, key: &HotKey) {
        for mode in [None, Some(JitMode::Require)] {
            let other = key.in_mode(mode);
            if other != *key && self.mode_of(&other).mode == JitMode::Require {
                self.table.outdate(&other);
            }
        }
    }

    /// The kernel that has taken the place of one with this reach.
    pub(super) fn bound(&self, key: &HotKey, leads: &Arc<Leads>) -> Option<Bound> {
        match &*self.table.successor(key, leads)? {
            Entry::Kernel(bound) => Some(bound.clone()),
            Entry::Asks(_) => None,
        }
    }

    /// Replaces a kernel, unless it was forgotten. `change` is called again if another thread
    /// replaces it meanwhile.
    pub(super) fn change(&self, key: &HotKey, leads: &Arc<Leads>, change: impl Fn(&Bound) -> Bound) {
        while let Some(old) = self.table.successor(key, leads) {
            let Entry::Kernel(bound) = &*old else { return };
            if self.table.replace(key, &old, Entry::Kernel(change(bound))) {
                return;
            }
        }
    }

    /// Returns when every kernel launched so far has the code that it keeps.
    pub(crate) fn wait_for_upgrades(&self) {
        self.background.wait();
    }
}
