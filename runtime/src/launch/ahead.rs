//! Has kernels prepared that are likely to be launched.
//!
//! In: devices that get a queue, and launches that had to translate. Out: jobs of the background,
//! one for the search of a file's kernels and one for each kernel. *Invariant:* no launch waits for
//! this but for the kernel that it launches, and unloading a container drops its jobs. A vendor's
//! assembler is called only once a launch calls it: the process could end while the vendor's
//! library starts, before functions for the end are registered.
#![forbid(unsafe_code)]

use super::Launcher;
use crate::{
    abi,
    background::{Job, Purpose},
    code::{Expected, Likely, Origin, Part},
    devices::DeviceEntry,
    exit::{self, Moment, Use},
    system,
};
use std::{
    sync::{Arc, Weak},
    time::Duration,
};

/// Address space in bytes without which nothing is prepared: LLVM gives up for the whole process if
/// it gets no memory.
const ROOM: usize = 512 << 20;

impl Launcher {
    /// Lets kernels have code assembled from the first launch on that does.
    pub(super) fn await_assembly(&self) {
        let launcher = Weak::clone(&self.own);
        self.kernels.before_assembly(move |device| {
            if let Some(launcher) = launcher.upgrade() {
                let waited = launcher.unassembled.begin(device.info().driver);
                (0..).zip(waited).for_each(|(order, (device, likely))| launcher.prepare_later(order, &device, likely));
            }
        });
    }

    /// Has kernels prepared for a device that gets a queue.
    pub(crate) fn expect_launches(&self, device: &Arc<DeviceEntry>) {
        self.prepare_files(device, None);
    }

    /// Called before a kernel of a container is built, which may have come after the queue.
    pub(super) fn expect_others(&self, container: *const abi::Container, device: &Arc<DeviceEntry>) {
        self.prepare_files(device, Some(container.addr()));
    }

    /// Called when a launch of a container had to translate, because settings have changed.
    pub(super) fn has_translated(&self, container: *const abi::Container, device: &Arc<DeviceEntry>) {
        let origin = Origin { container: container.addr(), device: device.index };
        if let Some(expected) = self.kernels.unprepared_of(origin) {
            self.prepare_file(origin, device, expected);
        }
    }

    fn prepare_files(&self, device: &Arc<DeviceEntry>, container: Option<usize>) {
        for (origin, expected) in self.kernels.unprepared(device, container) {
            self.prepare_file(origin, device, expected);
        }
    }

    /// Has the likely kernels of a container's file prepared.
    fn prepare_file(&self, origin: Origin, device: &Arc<DeviceEntry>, expected: Expected) {
        if !device.target().runs_in_process() {
            exit::expect(Moment::Found);
        } else if !self.kernels.has_likely(&expected) {
            return;
        }
        let device = Arc::clone(device);
        self.guess(origin.container, 0, move |launcher| {
            device.device.open_assembler();
            let likely = sinter_signals::with_signals_blocked(|| launcher.kernels.likely(origin, &device, &expected));
            (1..).zip(likely).for_each(|(order, likely)| launcher.prepare_later(order, &device, Arc::new(likely)));
        });
    }

    fn prepare_later(&self, order: u64, device: &Arc<DeviceEntry>, likely: Arc<Likely>) {
        let (owner, device) = (likely.kernel.container, Arc::clone(device));
        self.guess(owner, order, move |launcher| {
            launcher.prepare_part(&device, &likely, Part::Translation);
            if device.target().runs_in_process() || !launcher.unassembled.may_begin(&device, &likely) {
                return;
            }
            // A vendor's library, whose assembler is called here, must not end meanwhile.
            if let Some(_used) = Use::begin(exit::Purpose::Compilation) {
                launcher.prepare_part(&device, &likely, Part::All);
            }
        });
    }

    fn prepare_part(&self, device: &DeviceEntry, likely: &Likely, part: Part) {
        if !system::has_address_space(ROOM) {
            return;
        }
        sinter_signals::with_signals_blocked(|| {
            let Some(translation) = self.kernels.plan_likely(device, likely, part) else { return };
            let make = || self.kernels.prepare(device, &translation, part);
            self.told_of_guess(device, &likely.variant(device), make);
        });
    }

    /// Submits a job; those of lower `order` come first.
    fn guess(&self, owner: usize, order: u64, work: impl Fn(&Launcher) + Send + Sync + 'static) {
        let launcher = Weak::clone(&self.own);
        let run = move |_| {
            if let Some(launcher) = launcher.upgrade() {
                work(&launcher);
            }
        };
        let (importance, delay) = (Box::new(move || u64::MAX - order), Duration::ZERO);
        self.background.submit(Job { owner, purpose: Purpose::Guess, importance, delay, run: Box::new(run) });
    }
}
