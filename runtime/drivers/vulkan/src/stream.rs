//! An in-order stream.
//!
//! In: commands to record. Out: submissions, in order, each of which signals the next position of
//! the stream's timeline. *Invariant:* a submission begins with a barrier after everything that its
//! queue got before, and ends with one before the host's accesses; streams that share a queue are
//! in order as well. What a submission uses is kept until it is complete.

use crate::{
    block::Block,
    failure::{called, failure},
    logical::Logical,
    position::Timeline,
};
use ash::vk;
use sinter_driver_common::{Failure, error::code, lock};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

/// Submissions in flight, as many as CUDA has. Another one waits for the oldest.
const MOST: usize = 1024;
/// Command buffers that are allocated together.
const BUFFERS: u32 = 16;
/// Size of the smallest buffer for copies and arguments, and the number of buffers to keep.
const SMALLEST: u64 = 4096;
const SPARE: usize = 16;

/// A submission that may not be complete.
struct Flight {
    position: u64,
    commands: Option<vk::CommandBuffer>,
    kept: Vec<Block>,
    /// The timeline that it waits for, whose semaphore must not end before.
    _awaited: Option<Arc<Timeline>>,
}

#[derive(Default)]
struct State {
    flights: VecDeque<Flight>,
    spare_commands: Vec<vk::CommandBuffer>,
    spare_blocks: Vec<Block>,
}

/// A stream.
pub(crate) struct Stream {
    pub(crate) timeline: Arc<Timeline>,
    pool: vk::CommandPool,
    queue: usize,
    state: Mutex<State>,
}

/// A barrier between these accesses of everything.
fn barrier(
    device: &ash::Device,
    commands: vk::CommandBuffer,
    stage: vk::PipelineStageFlags2,
    access: vk::AccessFlags2,
) {
    let barriers = [vk::MemoryBarrier2::default()
        .src_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
        .src_access_mask(vk::AccessFlags2::MEMORY_WRITE)
        .dst_stage_mask(stage)
        .dst_access_mask(access)];
    let info = vk::DependencyInfo::default().memory_barriers(&barriers);
    // SAFETY: the command buffer is being recorded.
    unsafe { device.cmd_pipeline_barrier2(commands, &info) };
}

impl Stream {
    pub(crate) fn create(logical: &Arc<Logical>) -> Result<Self, Failure> {
        let timeline = Timeline::create(logical)?;
        let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER | vk::CommandPoolCreateFlags::TRANSIENT;
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(logical.chosen.family).flags(flags);
        // SAFETY: the family is the device's.
        let pool = called("vkCreateCommandPool", unsafe { logical.device.create_command_pool(&info, None) })?;
        Ok(Stream { timeline, pool, queue: logical.next_queue(), state: Mutex::default() })
    }

    pub(crate) fn logical(&self) -> &Arc<Logical> {
        &self.timeline.logical
    }

    /// The `VkQueue`.
    pub(crate) fn native(&self) -> vk::Queue {
        *lock(self.logical().queue(self.queue))
    }

    /// A buffer that the host can access, with at least so many bytes. Passed to
    /// [`Stream::submit`], it comes back here when the submission is complete.
    pub(crate) fn staging(&self, size: u64) -> Result<Block, Failure> {
        let mut state = lock(&self.state);
        self.collect(&mut state)?;
        let spare =
            state.spare_blocks.iter().position(|block| block.size >= size && block.size / 4 <= size.max(SMALLEST));
        match spare {
            Some(index) => Ok(state.spare_blocks.swap_remove(index)),
            None => {
                let size = size.next_power_of_two().max(SMALLEST);
                Block::create(self.logical(), size, self.logical().chosen.host_memory)
            }
        }
    }

    /// Gives a buffer back that no submission uses.
    pub(crate) fn give_back(&self, block: Block) {
        lock(&self.state).spare(block);
    }

    /// Collects what complete submissions used.
    fn collect(&self, state: &mut State) -> Result<(), Failure> {
        while let Some(flight) = state.flights.front() {
            if !self.timeline.has_reached(flight.position)? {
                break;
            }
            state.land();
        }
        Ok(())
    }

    /// A command buffer to record; waits for the oldest submission if there are too many.
    fn commands(&self, state: &mut State) -> Result<vk::CommandBuffer, Failure> {
        if let Some(flight) = state.flights.front().filter(|_| state.flights.len() >= MOST) {
            self.timeline.wait_for(flight.position, u64::MAX)?;
        }
        // A call for each submission would cost more than buffers that come back a little later.
        if state.spare_commands.is_empty() {
            self.collect(state)?;
        }
        if state.spare_commands.is_empty() {
            let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(BUFFERS);
            // SAFETY: the pool is alive, and used under the lock of the state.
            let made = unsafe { self.logical().device.allocate_command_buffers(&info) };
            state.spare_commands = called("vkAllocateCommandBuffers", made)?;
        }
        state.spare_commands.pop().ok_or(failure("vkAllocateCommandBuffers", code::OUT_OF_MEMORY))
    }

    /// Records commands and submits them. Until they are complete, `kept` is kept.
    pub(crate) fn submit(
        &self,
        kept: Vec<Block>,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) -> Result<u64, Failure> {
        let device = &self.logical().device;
        let mut state = lock(&self.state);
        let commands = self.commands(&mut state)?;
        let recorded = self.record(commands, |commands| record(device, commands));
        let position = self.timeline.last() + 1;
        let submitted = recorded.and_then(|()| self.send(&[commands], &[], position));
        match submitted {
            Ok(()) => {
                state.flights.push_back(Flight { position, commands: Some(commands), kept, _awaited: None });
            }
            Err(_) => state.spare_commands.push(commands),
        }
        submitted.map(|()| position)
    }

    fn record(&self, commands: vk::CommandBuffer, record: impl FnOnce(vk::CommandBuffer)) -> Result<(), Failure> {
        let device = &self.logical().device;
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer is not in use, and its pool is under the lock of the state.
        called("vkBeginCommandBuffer", unsafe { device.begin_command_buffer(commands, &info) })?;
        let access = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
        barrier(device, commands, vk::PipelineStageFlags2::ALL_COMMANDS, access);
        record(commands);
        let access = vk::AccessFlags2::HOST_READ | vk::AccessFlags2::HOST_WRITE;
        barrier(device, commands, vk::PipelineStageFlags2::HOST, access);
        // SAFETY: the command buffer is being recorded.
        called("vkEndCommandBuffer", unsafe { device.end_command_buffer(commands) })
    }

    /// Submits command buffers that wait for semaphores; signals a position.
    fn send(
        &self,
        commands: &[vk::CommandBuffer],
        waits: &[vk::SemaphoreSubmitInfo],
        position: u64,
    ) -> Result<(), Failure> {
        let info = |commands: &vk::CommandBuffer| vk::CommandBufferSubmitInfo::default().command_buffer(*commands);
        let commands: Vec<_> = commands.iter().map(info).collect();
        let signal = [at(&self.timeline, position)];
        let submit = [vk::SubmitInfo2::default()
            .command_buffer_infos(&commands)
            .wait_semaphore_infos(waits)
            .signal_semaphore_infos(&signal)];
        let queue = lock(self.logical().queue(self.queue));
        // SAFETY: the command buffers were recorded, and the lock of the queue is held.
        let sent = unsafe { self.logical().device.queue_submit2(*queue, &submit, vk::Fence::null()) };
        called("vkQueueSubmit2", sent)?;
        self.timeline.submitted(position);
        Ok(())
    }

    /// Makes what is submitted later wait for a position of another timeline of the device.
    pub(crate) fn wait_for(&self, timeline: Arc<Timeline>, position: u64) -> Result<(), Failure> {
        let mut state = lock(&self.state);
        self.collect(&mut state)?;
        // The queue's own order and the barriers do not cover a submission without commands, so it
        // also waits for this stream.
        let last = self.timeline.last();
        let waits = [at(&timeline, position), at(&self.timeline, last)];
        self.send(&[], &waits, last + 1)?;
        let (position, commands, kept) = (last + 1, None, Vec::new());
        state.flights.push_back(Flight { position, commands, kept, _awaited: Some(timeline) });
        Ok(())
    }

    /// Succeeds if the stream is idle; fails with a "not ready" code otherwise.
    pub(crate) fn query(&self) -> Result<(), Failure> {
        self.timeline.query(self.timeline.last())
    }

    /// Blocks until the stream is idle.
    pub(crate) fn synchronize(&self) -> Result<(), Failure> {
        self.timeline.wait(self.timeline.last())
    }
}

/// A position of a timeline.
fn at(timeline: &Timeline, position: u64) -> vk::SemaphoreSubmitInfo<'static> {
    vk::SemaphoreSubmitInfo::default()
        .semaphore(timeline.semaphore)
        .value(position)
        .stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
}

impl State {
    /// Takes the oldest submission back.
    fn land(&mut self) {
        if let Some(Flight { commands, kept, .. }) = self.flights.pop_front() {
            self.spare_commands.extend(commands);
            kept.into_iter().for_each(|block| self.spare(block));
        }
    }

    fn spare(&mut self, block: Block) {
        self.spare_blocks.push(block);
        if self.spare_blocks.len() > SPARE {
            self.spare_blocks.remove(0);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.logical().is_usable() {
            // The blocks do not end either.
            return;
        }
        self.timeline.wait_for(self.timeline.last(), u64::MAX).ok();
        // SAFETY: nothing of the pool is in use any more.
        unsafe { self.logical().device.destroy_command_pool(self.pool, None) };
    }
}
