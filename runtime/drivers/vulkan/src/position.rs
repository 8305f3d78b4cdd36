//! A timeline semaphore with the number of submissions that signal it.
//!
//! In: a device. Out: positions, which are numbers, and the answer whether one was reached.
//! *Invariant:* submissions signal 1, 2, 3 and so on, in order; a position that was reached stays
//! reached, which is answered without a call.

use crate::{
    failure::{called, failure},
    logical::Logical,
};
use ash::vk;
use sinter_driver_common::{Failure, error::code};
use std::{
    hint,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Time in which the end of a wait is polled for before the thread sleeps: waking it takes about as
/// long.
const POLLING: Duration = Duration::from_micros(50);

/// The semaphore of a stream.
pub(crate) struct Timeline {
    pub(crate) logical: Arc<Logical>,
    pub(crate) semaphore: vk::Semaphore,
    last: AtomicU64,
    reached: AtomicU64,
}

impl Timeline {
    /// Creates a semaphore.
    pub(crate) fn create(logical: &Arc<Logical>) -> Result<Arc<Self>, Failure> {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device is alive, and has timeline semaphores.
        let semaphore = called("vkCreateSemaphore", unsafe { logical.device.create_semaphore(&info, None) })?;
        let (last, reached) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Arc::new(Timeline { logical: Arc::clone(logical), semaphore, last, reached }))
    }

    /// The last position that something was submitted for.
    pub(crate) fn last(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// Notes that a submission signals a position, the one after the last.
    pub(crate) fn submitted(&self, position: u64) {
        self.last.store(position, Ordering::Release);
    }

    /// True if a position was reached.
    pub(crate) fn has_reached(&self, position: u64) -> Result<bool, Failure> {
        if self.reached.load(Ordering::Acquire) >= position {
            return Ok(true);
        }
        // SAFETY: the semaphore is alive.
        let value = unsafe { self.logical.device.get_semaphore_counter_value(self.semaphore) };
        let value = called("vkGetSemaphoreCounterValue", value)?;
        self.reached.fetch_max(value, Ordering::AcqRel);
        Ok(value >= position)
    }

    /// Succeeds if a position was reached without a trap; fails with a "not ready" code otherwise.
    pub(crate) fn query(&self, position: u64) -> Result<(), Failure> {
        match self.has_reached(position)? {
            true => self.logical.traps.check(),
            false => Err(failure("vkGetSemaphoreCounterValue", code::NOT_READY)),
        }
    }

    /// Blocks until a position is reached.
    pub(crate) fn wait(&self, position: u64) -> Result<(), Failure> {
        if !self.is_soon_reached(position)? {
            self.block(position, u64::MAX)?;
            // A wait for a lost device may succeed.
            if !self.has_reached(position)? {
                return Err(failure("vkWaitSemaphores", vk::Result::ERROR_DEVICE_LOST.as_raw().cast_unsigned()));
            }
        }
        self.logical.traps.check()
    }

    /// True if a position was reached, or is within a short time. A device that is the host's CPU
    /// needs that time itself.
    fn is_soon_reached(&self, position: u64) -> Result<bool, Failure> {
        if self.logical.chosen.is_cpu {
            return Ok(self.reached.load(Ordering::Acquire) >= position);
        }
        let start = Instant::now();
        while !self.has_reached(position)? {
            if start.elapsed() > POLLING {
                return Ok(false);
            }
            hint::spin_loop();
        }
        Ok(true)
    }

    /// Blocks until a position is reached, but no longer than `patience`, in nanoseconds. Calls
    /// nothing behind the wait: the process may have ended meanwhile.
    pub(crate) fn wait_for(&self, position: u64, patience: u64) -> Result<(), Failure> {
        self.block(position, patience)?;
        self.reached.fetch_max(position, Ordering::AcqRel);
        Ok(())
    }

    fn block(&self, position: u64, patience: u64) -> Result<(), Failure> {
        let (semaphores, values) = ([self.semaphore], [position]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        // SAFETY: the semaphore is alive.
        called("vkWaitSemaphores", unsafe { self.logical.device.wait_semaphores(&info, patience) })
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        if self.logical.is_usable() {
            // SAFETY: streams and events hold the timeline while something may signal it or wait
            // for it.
            unsafe { self.logical.device.destroy_semaphore(self.semaphore, None) };
        }
    }
}
