//! Submits commands to a timeline.
//!
//! In: the calls of [`Queue`]. Out: tickets. *Invariant:* a refused command takes no ticket and has
//! no effect.
//!
//! Commands that are expected to be short run on the submitting thread if the queue is idle. If one
//! turns out to be long, the rest of it is divided among the pool as for long commands.

use crate::{
    job::SPLIT_FROM,
    kernel::{Code, HostKernel},
    timeline::{Source, Timeline, Turn},
    work::{self, Address, Bytes, Copy, Fill, Grid, Groups, Launch, Scratch, Work, estimate_bytes, estimate_launch},
};
use sinter_core::{EntryInfo, LaunchShape};
use sinter_driver::{DeviceInfo, DriverError, Kernel, LocalMemoryExcess, Profile, Queue, Refusal, Ticket};
use std::{any::Any, ffi::c_void, sync::Arc, time::Instant};

/// Number of parts in which the submitting thread runs a launch, checking the clock after each.
/// Launches estimated to be far from the limit are not divided.
const PARTS: u64 = 4;

/// A queue of the host device.
pub(crate) struct HostQueue {
    info: Arc<DeviceInfo>,
    timeline: Arc<Timeline>,
}

/// Bytes that the work-items of one group may use for values live across barriers, for each thread
/// of the pool.
const ITEM_MEMORY: u64 = 256 << 20;

/// A validated launch.
struct Checked<'a> {
    code: &'a Arc<Code>,
    grid: Grid,
    scratch: Scratch,
    arguments: &'a [u8],
}

impl Checked<'_> {
    fn work(&self) -> Work {
        Work::Launch(Launch {
            code: Arc::clone(self.code),
            grid: self.grid,
            scratch: self.scratch,
            arguments: Bytes::copy(self.arguments),
        })
    }
}

impl HostQueue {
    pub(crate) fn new(info: Arc<DeviceInfo>, timeline: Arc<Timeline>) -> Self {
        HostQueue { info, timeline }
    }

    fn refused(&self, kernel: &str, reason: String) -> DriverError {
        DriverError::Launch { device: self.info.name.clone(), kernel: kernel.to_owned(), reason }
    }

    fn check_launch<'a>(
        &self,
        kernel: &'a Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &'a [u8],
    ) -> Result<Checked<'a>, DriverError> {
        let foreign = || DriverError::Foreign { device: self.info.name.clone(), what: "kernel" };
        let code = &kernel.as_any().downcast_ref::<HostKernel>().ok_or_else(foreign)?.code;
        let refused = |refusal: Refusal| refusal.about(&code.entry.symbol, &self.info.name);
        let grid = Grid::new(shape).map_err(|reason| refused(reason.into()))?;
        let (given, needed) = (arguments.len(), code.entry.argument_size as usize);
        if given < needed {
            return Err(refused(format!("the argument buffer has {given} bytes, the kernel reads {needed}").into()));
        }
        let scratch = self.scratch(&code.entry, shape).map_err(refused)?;
        Ok(Checked { code, grid, scratch, arguments })
    }

    /// The scratch memory of a work-group. The error says which limit is exceeded.
    fn scratch(&self, entry: &EntryInfo, shape: &LaunchShape) -> Result<Scratch, Refusal> {
        if let Some(excess) = LocalMemoryExcess::of(entry.local_memory, shape.local_memory, self.info.local_memory) {
            return Err(excess.into());
        }
        let local = entry.local_memory as usize + shape.local_memory as usize;
        let group = shape.group.into_iter().try_fold(1u64, |items, size| items.checked_mul(size.into()));
        let items = group.and_then(|group| group.checked_mul(entry.item_memory.into()));
        match items.filter(|bytes| *bytes <= ITEM_MEMORY) {
            Some(items) => Ok(Scratch { local, items: items as usize }),
            None => Err(Refusal::Launch(format!(
                "its work-items keep {} bytes each across barriers, a work-group of {:?} more than {ITEM_MEMORY}; \
                 use smaller work-groups or smaller private arrays",
                entry.item_memory, shape.group
            ))),
        }
    }

    /// Runs a launch on this thread, or its first part if it takes too long.
    ///
    /// # Safety
    /// As for [`Queue::launch`].
    unsafe fn run_here(&self, turn: Turn, launch: &Checked) {
        let Checked { code, grid, scratch, arguments } = launch;
        let aligned = (arguments.as_ptr() as usize).is_multiple_of(code.entry.argument_align.max(1) as usize);
        let copied = (!aligned).then(|| Bytes::copy(arguments));
        let arguments = copied.as_ref().map_or(arguments.as_ptr(), Bytes::as_ptr);
        self.timeline.mark_start(turn.ticket().0);
        let groups = Groups { code, grid, scratch: *scratch, arguments };
        // SAFETY: the caller guarantees the arguments, which were aligned if necessary.
        let done = unsafe { run_while_short(&groups, turn.ticket()) };
        scratch.release();
        if done < grid.groups {
            turn.split(launch.work(), done);
        }
    }

    /// Submits a copy or fill of `size` bytes: runs `here` on this thread if the queue is idle and
    /// the command is short, or else gives `work` to the pool or the queue.
    fn submit_bytes(&self, size: usize, here: impl FnOnce(), work: impl FnOnce() -> Work) -> Ticket {
        match self.timeline.begin() {
            Some(turn) if estimate_bytes(size) <= SPLIT_FROM => {
                self.timeline.mark_start(turn.ticket().0);
                here();
                turn.ticket()
            }
            Some(turn) => {
                let ticket = turn.ticket();
                turn.split(work(), 0);
                ticket
            }
            None => self.timeline.enqueue(work()),
        }
    }

    fn check_process(&self) -> Result<(), DriverError> {
        if !self.timeline.is_inherited() {
            return Ok(());
        }
        Err(DriverError::Inherited { device: self.info.name.clone() })
    }

    fn check_ticket(&self, ticket: Ticket, last: Ticket) -> Result<(), DriverError> {
        if ticket <= last {
            return Ok(());
        }
        Err(DriverError::UnknownTicket { device: self.info.name.clone(), ticket: ticket.0, last: last.0 })
    }
}

/// True if the launch of this ticket is measured: one in 16, spread so that programs that repeat a
/// sequence of kernels measure all of them.
fn is_sample(Ticket(ticket): Ticket) -> bool {
    // The first bits of a multiple of the golden ratio.
    ticket.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 == 0
}

/// Runs groups until all are done or the time for splitting is reached. Returns the number of
/// groups done.
///
/// # Safety
/// As for [`Groups::run`].
unsafe fn run_while_short(groups: &Groups, ticket: Ticket) -> u64 {
    let count = groups.grid.groups;
    let undivided = estimate_launch(groups.code, groups.grid).saturating_mul(PARTS as u32) <= SPLIT_FROM;
    if undivided && groups.code.meter.is_none() && !is_sample(ticket) {
        // SAFETY: the caller guarantees the arguments.
        unsafe { groups.run(0, count) };
        return count;
    }
    let start = Instant::now();
    let step = if undivided { count } else { count.div_ceil(PARTS) };
    let mut done = 0;
    while done < count {
        let last = (done + step).min(count);
        // SAFETY: the caller guarantees the arguments.
        unsafe { groups.run(done, last) };
        done = last;
        if done < count && start.elapsed() > SPLIT_FROM {
            break;
        }
    }
    groups.code.learn(groups.grid.items_of(done), start.elapsed());
    done
}

impl Queue for HostQueue {
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let launch = self.check_launch(kernel, shape, arguments)?;
        // A kernel that was never measured may take any time, and might even wait for something
        // that this thread does next, so the pool runs and measures it.
        let short = estimate_launch(launch.code, &launch.grid) <= SPLIT_FROM;
        let Some(turn) = self.timeline.begin() else {
            return Ok(self.timeline.enqueue(launch.work()));
        };
        let ticket = turn.ticket();
        if short {
            // SAFETY: the caller guarantees the arguments.
            unsafe { self.run_here(turn, &launch) };
        } else {
            turn.split(launch.work(), 0);
        }
        Ok(ticket)
    }

    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let (destination, source) = (destination.cast::<u8>(), source.cast::<u8>().cast_mut());
        let here = || {
            if size > 0 {
                // SAFETY: the caller guarantees both ranges.
                unsafe { destination.copy_from_nonoverlapping(source, size) }
            }
        };
        let copy = Copy { destination: Address::new(destination), source: Address::new(source), size };
        Ok(self.submit_bytes(size, here, || Work::Copy(copy)))
    }

    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        self.check_process()?;
        let too_large = || self.refused("fill", format!("{count} patterns of {} bytes exceed 64 bits", pattern.len()));
        let size = pattern.len().checked_mul(count).ok_or_else(too_large)?;
        // SAFETY: the caller guarantees the range, which a pattern does not overlap.
        let here = || unsafe { work::fill(destination.cast(), pattern.as_ptr(), pattern.len(), size) };
        let work = || {
            let (destination, copied) = (Address::new(destination.cast()), Bytes::copy(pattern));
            Work::Fill(Fill { destination, pattern: copied, pattern_size: pattern.len().max(1), size })
        };
        Ok(self.submit_bytes(size, here, work))
    }

    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.check_process()?;
        self.check_ticket(ticket, other.last())?;
        if other.is_complete(ticket)? {
            return Ok(());
        }
        let own = other.as_any().and_then(|other| other.downcast_ref::<HostQueue>());
        match own.map(|own| &own.timeline) {
            // Commands of the same queue are in order anyway.
            Some(timeline) if Arc::ptr_eq(timeline, &self.timeline) => {}
            Some(timeline) => self.timeline.depend(Source::Own(Arc::clone(timeline)), ticket),
            None => self.timeline.depend(Source::Foreign(Arc::clone(other)), ticket),
        }
        Ok(())
    }

    fn last(&self) -> Ticket {
        Ticket(self.timeline.submitted())
    }

    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        let complete = self.timeline.is_complete(ticket.0);
        // In a forked child nobody completes inherited commands.
        if complete || ticket > self.last() { Ok(complete) } else { self.check_process().map(|()| false) }
    }

    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        if !self.timeline.is_complete(ticket.0) {
            self.check_process()?;
            self.check_ticket(ticket, self.last())?;
            self.timeline.wait(ticket.0);
        }
        self.timeline.take_error().map_or(Ok(()), Err)
    }

    fn enable_profiling(&self) -> Result<(), DriverError> {
        self.check_process()?;
        let late = |commands| DriverError::LateProfiling { device: self.info.name.clone(), commands };
        self.timeline.enable_profiling().map_err(late)
    }

    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.check_process()?;
        self.check_ticket(ticket, self.last())?;
        if !self.timeline.is_profiled() {
            return Ok(None);
        }
        self.timeline.wait(ticket.0);
        Ok(self.timeline.profile(ticket.0))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

impl Drop for HostQueue {
    fn drop(&mut self) {
        if !self.timeline.is_inherited() {
            self.timeline.wait(self.timeline.submitted());
        }
    }
}
