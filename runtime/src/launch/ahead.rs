//! Has kernels prepared that are likely to be launched next.
//!
//! In: a launch that has found no code. Out: jobs of the background, one for the search and one for
//! each kernel. *Invariant:* no launch waits for this, and unloading a container drops its jobs.
#![forbid(unsafe_code)]

use super::Launcher;
use crate::{
    background::{Job, Purpose},
    code::{Likely, Origin},
    devices::DeviceEntry,
};
use std::sync::{Arc, Weak};

impl Launcher {
    /// Has the kernels prepared that are likely to be launched after one of `origin`.
    pub(super) fn look_ahead(&self, origin: Origin, device: &Arc<DeviceEntry>) {
        if self.kernels.misses(origin, device) {
            let device = Arc::clone(device);
            self.guess(origin.container, 0, move |launcher| launcher.prepare_all(origin, &device));
        }
    }

    fn prepare_all(&self, origin: Origin, device: &Arc<DeviceEntry>) {
        for (order, likely) in (1..).zip(self.kernels.likely(origin)) {
            let device = Arc::clone(device);
            self.guess(likely.kernel.container, order, move |launcher| {
                launcher.prepare_one(origin, &device, &likely);
            });
        }
    }

    fn prepare_one(&self, origin: Origin, device: &DeviceEntry, likely: &Likely) {
        sinter_signals::with_signals_blocked(|| self.kernels.prepare(origin, device, likely));
    }

    /// Submits a job; those of lower `order` come first.
    fn guess(&self, owner: usize, order: u64, work: impl Fn(&Launcher) + Send + Sync + 'static) {
        let launcher = Weak::clone(&self.own);
        let run = move |_| {
            if let Some(launcher) = launcher.upgrade() {
                work(&launcher);
            }
        };
        let importance = Box::new(move || u64::MAX - order);
        self.background.submit(Job { owner, purpose: Purpose::Guess, importance, run: Box::new(run) });
    }
}
