//! The commands of an in-order stream.
//!
//! In: commands to record. Out: submissions, in order, each of which signals the next position of
//! the stream's timeline. *Invariant:* a command begins with a barrier after everything that its
//! queue got before, and a submission ends with one before the host's accesses; streams that share
//! a queue are in order as well. What a submission uses is kept until it is complete.
//!
//! Submitting costs several times what recording a launch does. So launches are collected in a
//! batch while the device has enough to do: the next call that is not a launch submits it, or a
//! thread as soon as few submissions are left (`submitter.rs`).

use crate::{
    batch::{AHEAD, Batch, MOST_LAUNCHES},
    block::Block,
    exit::Unfinished,
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
    /// Commands that were not submitted. Their position is the one after the last.
    batch: Option<Batch>,
    flights: VecDeque<Flight>,
    spare_commands: Vec<vk::CommandBuffer>,
    spare_blocks: Vec<Block>,
    /// A failure of the thread's, for the next call.
    failed: Option<Failure>,
}

/// The commands of a stream.
pub(crate) struct Commands {
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

impl Commands {
    pub(crate) fn create(logical: &Arc<Logical>) -> Result<Self, Failure> {
        let timeline = Timeline::create(logical)?;
        let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER | vk::CommandPoolCreateFlags::TRANSIENT;
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(logical.chosen.family).flags(flags);
        // SAFETY: the family is the device's.
        let pool = called("vkCreateCommandPool", unsafe { logical.device.create_command_pool(&info, None) })?;
        Ok(Commands { timeline, pool, queue: logical.next_queue(), state: Mutex::default() })
    }

    pub(crate) fn logical(&self) -> &Arc<Logical> {
        &self.timeline.logical
    }

    /// Submits the batch. The next command reports a failure.
    pub(crate) fn flush_for_later(&self) {
        if let Err(failed) = self.flush() {
            lock(&self.state).failed = Some(failed);
        }
    }

    /// The `VkQueue`, which has got everything.
    pub(crate) fn native(&self) -> vk::Queue {
        self.flush_for_later();
        *lock(self.logical().queue(self.queue))
    }

    /// A buffer that the host can access, with at least so many bytes. Passed to
    /// [`Stream::submit`], it comes back here when the submission is complete.
    pub(crate) fn staging(&self, size: u64) -> Result<Block, Failure> {
        let mut state = lock(&self.state);
        self.collect(&mut state)?;
        self.spare_or_new(&mut state, size)
    }

    fn spare_or_new(&self, state: &mut State, size: u64) -> Result<Block, Failure> {
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

    /// Records commands and submits them, with the batch before them. Until they are complete,
    /// `kept` is kept.
    pub(crate) fn submit(
        &self,
        kept: Vec<Block>,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) -> Result<u64, Failure> {
        let mut state = lock(&self.state);
        let mut batch = self.begin(&mut state)?;
        self.record(&batch, record);
        batch.keep(kept);
        state.batch = Some(batch);
        self.flush_now(&mut state)
    }

    /// The batch, which is begun unless there is one.
    fn begin(&self, state: &mut State) -> Result<Batch, Failure> {
        if let Some(failed) = state.failed.take() {
            return Err(failed);
        }
        if let Some(batch) = state.batch.take() {
            return Ok(batch);
        }
        let commands = self.commands(state)?;
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer is not in use, and its pool is under the lock of the state.
        let begun = unsafe { self.logical().device.begin_command_buffer(commands, &info) };
        match called("vkBeginCommandBuffer", begun) {
            Ok(()) => Ok(Batch::new(commands)),
            Err(failure) => {
                state.spare_commands.push(commands);
                Err(failure)
            }
        }
    }

    /// Records commands that follow everything before.
    fn record(&self, batch: &Batch, record: impl FnOnce(&ash::Device, vk::CommandBuffer)) {
        let device = &self.logical().device;
        let access = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
        barrier(device, batch.commands, vk::PipelineStageFlags2::ALL_COMMANDS, access);
        record(device, batch.commands);
    }

    /// Records a launch. True if it is to be submitted now.
    fn collect_launch(
        &self,
        state: &mut State,
        arguments: &[u8],
        record: impl FnOnce(&ash::Device, vk::CommandBuffer, u64),
    ) -> Result<bool, Failure> {
        let mut batch = self.begin(state)?;
        let passed = batch.pass(arguments, |size| self.spare_or_new(state, size));
        if let Ok(address) = passed {
            self.record(&batch, |device, commands| record(device, commands, address));
            batch.launches += 1;
        }
        let launches = batch.launches;
        state.batch = Some(batch);
        passed?;
        Ok(launches >= MOST_LAUNCHES || (launches == 1 && !self.has_enough(state)?))
    }

    /// Records a launch, which gets the address of a copy of its arguments. Submits it unless the
    /// device has enough to do and `may_wait` agrees. True if it was held back.
    pub(crate) fn launch(
        &self,
        arguments: &[u8],
        record: impl FnOnce(&ash::Device, vk::CommandBuffer, u64),
        may_wait: impl FnOnce() -> bool,
    ) -> Result<bool, Failure> {
        let mut state = lock(&self.state);
        if !self.collect_launch(&mut state, arguments, record)? && may_wait() {
            return Ok(true);
        }
        self.flush_now(&mut state).map(|_| false)
    }

    /// True if enough submissions are under way.
    fn has_enough(&self, state: &mut State) -> Result<bool, Failure> {
        if state.flights.len() >= AHEAD {
            self.collect(state)?;
        }
        Ok(state.flights.len() >= AHEAD)
    }

    /// Submits the batch. Returns the last position.
    pub(crate) fn flush(&self) -> Result<u64, Failure> {
        self.flush_now(&mut lock(&self.state))
    }

    fn flush_now(&self, state: &mut State) -> Result<u64, Failure> {
        if let Some(failed) = state.failed.take() {
            return Err(failed);
        }
        let Some(Batch { commands, kept, .. }) = state.batch.take() else { return Ok(self.timeline.last()) };
        let position = self.timeline.last() + 1;
        let submitted = self.end(commands).and_then(|()| self.send(&[commands], &[], position));
        match submitted {
            Ok(()) => {
                state.flights.push_back(Flight { position, commands: Some(commands), kept, _awaited: None });
            }
            Err(_) => state.spare_commands.push(commands),
        }
        submitted.map(|()| position)
    }

    fn end(&self, commands: vk::CommandBuffer) -> Result<(), Failure> {
        let device = &self.logical().device;
        let access = vk::AccessFlags2::HOST_READ | vk::AccessFlags2::HOST_WRITE;
        barrier(device, commands, vk::PipelineStageFlags2::HOST, access);
        // SAFETY: the command buffer is being recorded.
        called("vkEndCommandBuffer", unsafe { device.end_command_buffer(commands) })
    }

    /// Submits the batch if no more than `left` submissions before it are under way. Otherwise
    /// returns the position to wait for before trying again.
    pub(crate) fn flush_unless_busy(&self, left: u64) -> Option<u64> {
        let mut state = lock(&self.state);
        state.batch.as_ref()?;
        let awaited = self.timeline.last().saturating_sub(left);
        if let Ok(false) = self.timeline.has_reached(awaited) {
            return Some(awaited);
        }
        state.failed = self.flush_now(&mut state).err();
        None
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
        self.flush_now(&mut state)?;
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
        self.timeline.query(self.flush()?)
    }

    /// Blocks until the stream is idle.
    pub(crate) fn synchronize(&self) -> Result<(), Failure> {
        self.timeline.wait(self.flush()?)
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

impl Unfinished for Commands {
    fn finish(&self, patience: u64) -> bool {
        if !self.logical().is_usable() {
            return true;
        }
        // A thread that has the lock may have been stopped by the exit.
        let sent = self.state.try_lock().is_ok_and(|mut state| self.flush_now(&mut state).is_ok());
        self.timeline.wait_for(self.timeline.last(), patience).is_ok() && sent
    }
}

impl Drop for Commands {
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
