//! The number by which launches of a queue find their kernels.
//!
//! In: the device of a queue, and its treatment of launches without code. Out: one number.
//! *Invariant:* queues of one device with different modes have different numbers, so that a launch
//! that waits for full code never runs quick code that a launch of another queue has loaded.
#![forbid(unsafe_code)]

use crate::code::tiers::JitMode;
use std::sync::atomic::{AtomicU32, Ordering};

/// First bit of the mode. There are fewer devices and parts of devices than this.
const SHIFT: u32 = 30;

/// Device and mode as one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place(u32);

impl Place {
    /// The place of a device and a mode; without one it is that of the settings.
    pub(crate) fn new(device: u32, mode: Option<JitMode>) -> Self {
        let mode = match mode {
            None => 0,
            Some(JitMode::Sync) => 1,
            Some(JitMode::Fallback) => 2,
            Some(JitMode::Require) => 3,
        };
        Place(device | mode << SHIFT)
    }

    fn device(self) -> u32 {
        self.0 & ((1 << SHIFT) - 1)
    }

    /// The mode, if it is not that of the settings.
    pub(crate) fn mode(self) -> Option<JitMode> {
        match self.0 >> SHIFT {
            1 => Some(JitMode::Sync),
            2 => Some(JitMode::Fallback),
            3 => Some(JitMode::Require),
            _ => None,
        }
    }

    /// The same device with another mode.
    pub(crate) fn in_mode(self, mode: Option<JitMode>) -> Self {
        Place::new(self.device(), mode)
    }
}

/// The place of a queue, whose mode may change.
#[derive(Debug, Default)]
pub(crate) struct SharedPlace(AtomicU32);

impl SharedPlace {
    pub(crate) fn of_device(device: u32) -> Self {
        SharedPlace(AtomicU32::new(Place::new(device, None).0))
    }

    /// The place of the next launch.
    #[inline]
    pub(crate) fn get(&self) -> Place {
        Place(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn set_mode(&self, mode: Option<JitMode>) {
        self.0.store(self.get().in_mode(mode).0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_tells_devices_and_modes_apart() {
        let modes = [None, Some(JitMode::Sync), Some(JitMode::Fallback), Some(JitMode::Require)];
        for device in [0, 7, (1 << SHIFT) - 1] {
            for mode in modes {
                let place = Place::new(device, mode);
                assert_eq!((place.device(), place.mode()), (device, mode));
                assert!(modes.iter().all(|other| (place.in_mode(*other) == place) == (*other == mode)));
            }
        }
    }
}
