//! Events that mark positions in streams.
//!
//! In: a stream. Out: its last position, or a submission that writes a timestamp. *Invariant:* an
//! event without a timestamp submits nothing. An event that was never recorded is complete.

use crate::{
    failure::{called, failure},
    logical::Logical,
    position::Timeline,
    stream::Stream,
};
use ash::vk::{self, Handle};
use sinter_driver_common::{Failure, error::code, lock};
use std::sync::{Arc, Mutex};

/// A position that may move to another stream.
pub(crate) struct Slot {
    logical: Arc<Logical>,
    /// Place of the timestamp; null without one.
    pool: vk::QueryPool,
    position: Mutex<Option<(Arc<Timeline>, u64)>>,
}

impl Slot {
    pub(crate) fn create(logical: &Arc<Logical>, timed: bool) -> Result<Self, Failure> {
        let pool = if timed { query_pool(logical)? } else { vk::QueryPool::null() };
        Ok(Slot { logical: Arc::clone(logical), pool, position: Mutex::default() })
    }

    /// The timeline and position, if the event was recorded.
    pub(crate) fn get(&self) -> Option<(Arc<Timeline>, u64)> {
        lock(&self.position).clone()
    }

    /// Marks the end of a stream.
    pub(crate) fn record(&self, stream: &Stream) -> Result<(), Failure> {
        let position = match self.pool.is_null() {
            true => stream.flush()?,
            false => stream.submit(Vec::new(), |device, commands| self.write(device, commands))?,
        };
        *lock(&self.position) = Some((Arc::clone(&stream.timeline), position));
        Ok(())
    }

    fn write(&self, device: &ash::Device, commands: vk::CommandBuffer) {
        // SAFETY: the command buffer is being recorded, and the pool has one place.
        unsafe {
            device.cmd_reset_query_pool(commands, self.pool, 0, 1);
            device.cmd_write_timestamp2(commands, vk::PipelineStageFlags2::ALL_COMMANDS, self.pool, 0);
        }
    }

    pub(crate) fn query(&self) -> Result<(), Failure> {
        self.get().map_or(Ok(()), |(timeline, position)| timeline.query(position))
    }

    /// Blocks until the position is reached.
    pub(crate) fn wait(&self) -> Result<(), Failure> {
        self.get().map_or(Ok(()), |(timeline, position)| timeline.wait(position))
    }

    fn ticks(&self) -> Result<u64, Failure> {
        let mut ticks = [0u64];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: the event was recorded, so the timestamp is written.
        let asked = unsafe { self.logical.device.get_query_pool_results(self.pool, 0, &mut ticks, flags) };
        called("vkGetQueryPoolResults", asked)?;
        Ok(ticks[0])
    }

    /// Milliseconds from this event to a later one. Both have timestamps.
    pub(crate) fn until(&self, later: &Slot) -> Result<f32, Failure> {
        let unused = 64 - self.logical.chosen.timestamp_bits;
        let ticks = later.ticks()?.wrapping_sub(self.ticks()?) << unused;
        let ticks = ticks.cast_signed() >> unused;
        Ok((ticks as f64 * f64::from(self.logical.chosen.timestamp_period) / 1e6) as f32)
    }
}

fn query_pool(logical: &Logical) -> Result<vk::QueryPool, Failure> {
    if logical.chosen.timestamp_bits == 0 {
        return Err(failure("vkCmdWriteTimestamp2", code::NOT_SUPPORTED));
    }
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(1);
    // SAFETY: the device is alive.
    called("vkCreateQueryPool", unsafe { logical.device.create_query_pool(&info, None) })
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.logical.is_usable() {
            // The timestamp may not be written yet.
            self.wait().ok();
            // SAFETY: nobody else has the pool; null is ignored.
            unsafe { self.logical.device.destroy_query_pool(self.pool, None) };
        }
    }
}
