//! A device with the state that its calls need.
//!
//! In: a device of a driver. Out: handles, and the state of lists and events. *Invariant:* the
//! library's contexts are not tied to threads, so every call names device and context; a `Gpu`
//! belongs to one device.

use crate::{events::Events, lists::Lists, platform::Platform};
use level_zero_sys::{
    Api,
    types::{CommandList, Context, DeviceStruct, FOREVER},
};
use sinter_driver_common::{Describe, Failure, Handle, error::described};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The device's clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timer {
    /// Nanoseconds per tick.
    pub(crate) tick: f64,
    /// Mask of the valid bits of a timestamp.
    pub(crate) mask: u64,
}

impl Timer {
    /// Milliseconds between two timestamps. `start` may be the larger one, because the counter
    /// wraps.
    pub(crate) fn between(&self, start: u64, end: u64) -> f32 {
        ((end.wrapping_sub(start) & self.mask) as f64 * self.tick / 1e6) as f32
    }
}

/// A device and its context, lists and events.
pub(crate) struct Gpu {
    pub(crate) platform: Arc<Platform>,
    pub(crate) device: Handle<DeviceStruct>,
    pub(crate) number: i32,
    /// Largest pattern of a fill, in bytes.
    pub(crate) most_fill: usize,
    pub(crate) timer: Timer,
    pub(crate) lists: Lists,
    pub(crate) events: Events,
    /// References to the context held by this device.
    users: AtomicUsize,
}

impl Gpu {
    pub(crate) fn new(
        platform: &Arc<Platform>,
        device: Handle<DeviceStruct>,
        number: i32,
        ordinal: u32,
        most_fill: usize,
        timer: Timer,
    ) -> Self {
        let (lists, platform) = (Lists::new(platform, device, ordinal), Arc::clone(platform));
        let (events, users) = (Events::default(), AtomicUsize::new(0));
        Gpu { platform, device, number, most_fill, timer, lists, events, users }
    }

    #[inline]
    pub(crate) fn api(&self) -> &Api {
        &self.platform.library.api
    }

    #[inline]
    pub(crate) fn context(&self) -> Context {
        self.platform.context()
    }

    /// Blocks until a list is idle.
    ///
    /// # Safety
    /// The list is alive.
    pub(crate) unsafe fn synchronize(&self, list: CommandList) -> Result<(), Failure> {
        match self.lists.wait_for(list, FOREVER) {
            Some(waited) => waited,
            // SAFETY: upheld by the caller.
            None => unsafe { self.events.pass(&self.lists, list) },
        }
    }

    /// Adds a reference to the context.
    pub(crate) fn begin_use(&self) {
        self.users.fetch_add(1, Ordering::AcqRel);
    }

    /// Drops a reference to the context. Returns true if it was this device's last.
    pub(crate) fn end_use(&self) -> bool {
        self.users.fetch_sub(1, Ordering::AcqRel) == 1
    }
}

impl Describe for Gpu {
    fn name(&self, code: u32) -> Option<String> {
        self.platform.library.name(code)
    }

    /// The meaning of an error code, with the driver's description of this thread's last error.
    fn text(&self, code: u32) -> Option<String> {
        let meaning = self.platform.library.text(code);
        // SAFETY: the driver's strings are null-terminated and stay valid until this thread's next
        // call.
        let details = unsafe {
            // SAFETY: the driver is the loader's, and the place is writable.
            described(|place| matches!(self.api().driver_last_error(self.platform.driver.0, place), Some(Ok(()))))
        };
        match (meaning, details.filter(|details| !details.is_empty())) {
            (Some(meaning), Some(details)) => Some(format!("{meaning} ({details})")),
            (meaning, details) => meaning.or(details),
        }
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        self.platform.library.remedy(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_began_anew_is_no_time_backwards() {
        let timer = Timer { tick: 80.0, mask: u64::from(u32::MAX) };
        assert_eq!(timer.between(100, 12_600), 1.0);
        assert_eq!(timer.between(u64::from(u32::MAX) - 99, 12_400), 1.0);
    }
}
