//! Submits commands to a stream.
//!
//! In: the calls of [`Queue`]. Out: tickets. *Invariant:* a refused command takes no ticket; a plain launch allocates nothing and makes no
//! system call of ours.
//!
//! A queue of another driver is waited for by the thread that says so: a stream cannot wait for what the GPU does not know, and a
//! function that blocks in the driver's own thread would hold up every other stream.

use crate::{
    context::{Context, Current, lock},
    error::Failure,
    fill::{self, Step, Unit},
    kernel::CudaKernel,
    launch::{self, Geometry},
    memory::Known,
    rows,
    timeline::Timeline,
    times::Times,
};
use cudarc::driver::sys::{CUdevice, CUmem_advise_enum as Advise};
use sinter_core::LaunchShape;
use sinter_driver::{Advice, DriverError, Kernel, MemoryKind, NativeKind, Profile, Queue, Rows, Ticket};
use std::{
    any::Any,
    ffi::c_void,
    ptr,
    sync::{Arc, Mutex},
};

/// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE` and `CU_LAUNCH_PARAM_END`.
const BUFFER_POINTER: *mut c_void = ptr::without_provenance_mut(1);
const BUFFER_SIZE: *mut c_void = ptr::without_provenance_mut(2);
const END: *mut c_void = ptr::null_mut();
/// `CU_DEVICE_CPU`: the host.
const HOST: CUdevice = -1;

/// A queue of a GPU.
pub(crate) struct CudaQueue {
    timeline: Arc<Timeline>,
}

impl CudaQueue {
    pub(crate) fn new(timeline: Arc<Timeline>) -> Self {
        CudaQueue { timeline }
    }

    #[inline]
    fn context(&self) -> &Arc<Context> {
        &self.timeline.context
    }

    fn device(&self) -> String {
        self.context().info.name.clone()
    }

    #[cold]
    fn refused(&self, kernel: &str, reason: String) -> DriverError {
        DriverError::Launch { device: self.device(), kernel: kernel.to_owned(), reason }
    }

    #[cold]
    fn foreign(&self, what: &'static str) -> DriverError {
        DriverError::Foreign { device: self.device(), what }
    }

    /// A kernel of this device.
    #[inline]
    fn own_kernel<'a>(&self, kernel: &'a Arc<dyn Kernel>) -> Result<&'a CudaKernel, DriverError> {
        let kernel = kernel.as_any().downcast_ref::<CudaKernel>();
        let own = kernel.filter(|kernel| Arc::ptr_eq(&kernel.context, self.context()));
        own.ok_or_else(|| self.foreign("kernel"))
    }

    fn check_ticket(&self, ticket: Ticket, last: Ticket) -> Result<(), DriverError> {
        if ticket <= last {
            return Ok(());
        }
        Err(DriverError::UnknownTicket { device: self.device(), ticket: ticket.0, last: last.0 })
    }

    /// Makes a command of calls of the driver: of a kernel's number, or 0.
    #[inline]
    fn submit(&self, kernel: u32, call: impl FnOnce() -> Result<(), Failure>) -> Result<Ticket, DriverError> {
        let _current = self.context().enter()?;
        if let Some(times) = self.timeline.times() {
            return self.submit_timed(times, kernel, call);
        }
        call().map_err(|failure| self.context().report(failure))?;
        Ok(self.timeline.accept(kernel))
    }

    /// Makes a command of several calls of the driver, which counts those that it took. What it took before a failure runs, so
    /// that it has a ticket to be waited for.
    fn submit_steps(&self, act: impl FnOnce(&mut usize) -> Result<(), Failure>) -> Result<Ticket, DriverError> {
        let (mut taken, mut result) = (0, Ok(()));
        let ticket = self.submit(0, || {
            result = act(&mut taken);
            if taken > 0 { Ok(()) } else { result }
        })?;
        result.map(|()| ticket).map_err(|failure| self.context().report(failure))
    }

    /// The lock keeps the events of one command together.
    #[cold]
    fn submit_timed(
        &self,
        times: &Mutex<Times>,
        kernel: u32,
        call: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<Ticket, DriverError> {
        let (context, stream) = (self.context(), self.timeline.stream);
        let mut times = lock(times);
        let begun = times.begin(context, stream)?;
        call().map_err(|failure| context.report(failure))?;
        times.end(begun, context, stream)?;
        Ok(self.timeline.accept(kernel))
    }

    /// Asks the driver for a launch.
    ///
    /// # Safety
    /// As for [`Queue::launch`]. The context is current.
    #[inline]
    unsafe fn call_launch(&self, kernel: &CudaKernel, shape: &Geometry, arguments: &[u8]) -> Result<(), Failure> {
        let Geometry { grid: [x, y, z], group: [gx, gy, gz], local_memory } = *shape;
        kernel.grant(local_memory)?;
        let (mut size, stream) = (kernel.argument_size, self.timeline.stream.0);
        let buffer = arguments.as_ptr().cast_mut().cast();
        let mut extra = [BUFFER_POINTER, buffer, BUFFER_SIZE, (&raw mut size).cast(), END];
        let extra = if size == 0 { ptr::null_mut() } else { extra.as_mut_ptr() };
        let (api, function) = (&self.context().api, kernel.function.0);
        // SAFETY: kernel and stream are alive, the geometry was checked, and the buffer has `size` bytes, which the driver copies.
        unsafe { api.launch(function, x, y, z, gx, gy, gz, local_memory, stream, ptr::null_mut(), extra) }
    }

    /// Asks the driver for one step of a fill. The context is current.
    fn call_fill(&self, destination: u64, step: Step) -> Result<(), Failure> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        let at = |offset: usize| destination + offset as u64;
        match step {
            // SAFETY: the caller of `fill` vouches for the range, in which all steps are, and which fits the unit.
            Step::Fill { unit: Unit::One(value), count } => unsafe { api.set_8(destination, value, count, stream) },
            // SAFETY: as above.
            Step::Fill { unit: Unit::Two(value), count } => unsafe { api.set_16(destination, value, count, stream) },
            // SAFETY: as above.
            Step::Fill { unit: Unit::Four(value), count } => unsafe { api.set_32(destination, value, count, stream) },
            Step::Rows { unit, offset, pitch, rows } => match unit {
                // SAFETY: as above.
                Unit::One(value) => unsafe { api.set_rows_8(at(offset), pitch, value, 1, rows, stream) },
                // SAFETY: as above.
                Unit::Two(value) => unsafe { api.set_rows_16(at(offset), pitch, value, 1, rows, stream) },
                // SAFETY: as above.
                Unit::Four(value) => unsafe { api.set_rows_32(at(offset), pitch, value, 1, rows, stream) },
            },
            // SAFETY: as above; the ranges do not overlap, since what is copied ends where the copy starts.
            Step::Repeat { offset, size } => unsafe { api.copy(at(offset), destination, size, stream) },
        }
    }

    /// Asks the driver for a copy of rows. The context is current.
    ///
    /// # Safety
    /// As for [`Queue::copy_rows`].
    unsafe fn call_rows(&self, destination: u64, source: u64, rows: &Rows, taken: &mut usize) -> Result<(), Failure> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        if rows::is_one_command(rows) {
            let copy = rows::describe(self.context(), destination, source, rows);
            // SAFETY: the caller vouches for the rows.
            return unsafe { api.copy_rows(&raw const copy, stream) };
        }
        for row in 0..rows.height {
            let to = destination.wrapping_add((row * rows.destination_pitch) as u64);
            let from = source.wrapping_add((row * rows.source_pitch) as u64);
            // SAFETY: the caller vouches for each row.
            unsafe { api.copy(to, from, rows.width, stream) }?;
            *taken += 1;
        }
        Ok(())
    }

    /// Whether the driver moves the memory that a pointer is in, on a device where that can be directed. The context is current.
    fn is_movable(&self, pointer: *const c_void, size: usize) -> bool {
        let known = || Known::about(&self.context().api, pointer as u64);
        size > 0 && self.context().limits.prefetch && known().is_some_and(|known| known.kind == MemoryKind::Shared)
    }

    /// Makes the stream wait for a ticket of a queue of this driver. Its own are in order anyway.
    fn depend_on(&self, other: &CudaQueue, ticket: Ticket) -> Result<(), DriverError> {
        if Arc::ptr_eq(&other.timeline, &self.timeline) {
            return Ok(());
        }
        let current = other.context().enter()?;
        let Some(event) = other.timeline.pending(ticket.0, &current)? else { return Ok(()) };
        drop(current);
        self.take_ticket(|| self.timeline.wait_for(&event))
    }

    /// A ticket for something that is no command of the program's.
    fn take_ticket(&self, act: impl FnOnce() -> Result<(), DriverError>) -> Result<(), DriverError> {
        let mut result = Ok(());
        self.submit(0, || {
            result = act();
            Ok(())
        })?;
        result
    }

    fn wait_for_times(&self, times: &Mutex<Times>, ticket: Ticket) -> Result<(), DriverError> {
        let end = lock(times).end_of(ticket.0);
        end.map_or(Ok(()), |end| end.wait())
    }

    fn times_of(
        &self,
        times: &Mutex<Times>,
        ticket: Ticket,
        current: &Current,
    ) -> Result<Option<Profile>, DriverError> {
        self.wait_for_times(times, ticket)?;
        lock(times).get(ticket.0, current)
    }
}

impl Queue for CudaQueue {
    #[inline]
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        let kernel = self.own_kernel(kernel)?;
        let entry = kernel.entry();
        let geometry = launch::check(shape, entry.local_memory, &kernel.limits, &self.context().limits);
        let geometry = geometry.map_err(|reason| self.refused(&entry.symbol, reason))?;
        let (given, needed) = (arguments.len(), kernel.argument_size);
        if given < needed {
            let reason = format!("the argument buffer has {given} bytes, the kernel reads {needed}");
            return Err(self.refused(&entry.symbol, reason));
        }
        let Some(geometry) = geometry else { return self.submit(0, || Ok(())) };
        // SAFETY: the caller vouches for the arguments, of which there are enough.
        self.submit(kernel.number, || unsafe { self.call_launch(kernel, &geometry, arguments) })
    }

    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        self.submit(0, || match size {
            0 => Ok(()),
            // SAFETY: the caller vouches for both ranges.
            _ => unsafe { api.copy(destination as u64, source as u64, size, stream) },
        })
    }

    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        if pattern.len().checked_mul(count).is_none() {
            return Err(self.refused("fill", format!("{count} patterns of {} bytes exceed 64 bits", pattern.len())));
        }
        let address = destination as usize;
        self.submit_steps(|taken| {
            fill::plan(address, pattern, count, |step| {
                self.call_fill(address as u64, step)?;
                *taken += 1;
                Ok(())
            })
        })
    }

    unsafe fn copy_rows(
        &self,
        destination: *mut c_void,
        source: *const c_void,
        rows: Rows,
    ) -> Result<Ticket, DriverError> {
        self.submit_steps(|taken| match rows.width.min(rows.height) {
            0 => Ok(()),
            // SAFETY: the caller vouches for the rows.
            _ => unsafe { self.call_rows(destination as u64, source as u64, &rows, taken) },
        })
    }

    unsafe fn prefetch(&self, pointer: *const c_void, size: usize, to_host: bool) -> Result<Ticket, DriverError> {
        let current = self.context().enter()?;
        if !self.is_movable(pointer, size) {
            return Ok(self.last());
        }
        drop(current);
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        let target = if to_host { HOST } else { self.context().device };
        // SAFETY: the caller vouches for the range, and the driver moves it itself.
        self.submit(0, || unsafe { api.prefetch(pointer as u64, size, target, stream) })
    }

    unsafe fn advise(&self, pointer: *const c_void, size: usize, advice: Advice) -> Result<Ticket, DriverError> {
        let _current = self.context().enter()?;
        if self.is_movable(pointer, size) {
            let device = self.context().device;
            for (advice, device) in advices(advice, device) {
                // SAFETY: the caller vouches for the range. Advice changes no data.
                let advised = unsafe { self.context().api.advise(pointer as u64, size, advice, device) };
                advised.map_err(|failure| self.context().report(failure))?;
            }
        }
        Ok(self.last())
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            NativeKind::Device => Some(ptr::without_provenance_mut(self.context().device as usize)),
            NativeKind::Context => Some(self.context().handle.0.cast()),
            NativeKind::Stream => Some(self.timeline.stream.0.cast()),
            _ => None,
        }
    }

    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.context().ready()?;
        self.check_ticket(ticket, other.last())?;
        match other.as_any().and_then(|other| other.downcast_ref::<CudaQueue>()) {
            Some(own) => self.depend_on(own, ticket),
            None if other.is_complete(ticket)? => Ok(()),
            None => {
                other.wait(ticket)?;
                self.take_ticket(|| Ok(()))
            }
        }
    }

    fn last(&self) -> Ticket {
        Ticket(self.timeline.last())
    }

    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        if self.timeline.is_known_complete(ticket.0) {
            return Ok(true);
        }
        if ticket > self.last() {
            return Ok(false);
        }
        let current = self.context().enter()?;
        Ok(self.timeline.pending(ticket.0, &current)?.is_none())
    }

    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        if !self.timeline.is_known_complete(ticket.0) {
            self.context().ready()?;
            self.check_ticket(ticket, self.last())?;
            return self.timeline.wait(ticket.0);
        }
        // In a child what was complete stays so.
        if self.context().is_inherited() { Ok(()) } else { self.context().ready() }
    }

    fn enable_profiling(&self) -> Result<(), DriverError> {
        self.context().ready()?;
        self.timeline.enable_profiling()
    }

    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.context().ready()?;
        self.check_ticket(ticket, self.last())?;
        let Some(times) = self.timeline.times() else { return Ok(None) };
        let current = self.context().enter()?;
        self.times_of(times, ticket, &current)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// The driver's words for an advice, with the device that each is about.
fn advices(advice: Advice, device: CUdevice) -> Vec<(Advise, CUdevice)> {
    use Advise::*;
    match advice {
        Advice::ReadMostly => vec![(CU_MEM_ADVISE_SET_READ_MOSTLY, device)],
        Advice::PreferDevice => vec![(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device)],
        Advice::PreferHost => vec![(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, HOST)],
        _ => vec![(CU_MEM_ADVISE_UNSET_READ_MOSTLY, device), (CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, device)],
    }
}

impl Drop for CudaQueue {
    fn drop(&mut self) {
        self.timeline.close();
    }
}
