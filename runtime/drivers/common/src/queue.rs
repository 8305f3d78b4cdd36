//! Submits commands to a stream.
//!
//! In: the calls of [`Queue`]. Out: tickets. *Invariant:* a refused command takes no ticket; a
//! plain launch allocates nothing and adds no system call to the driver's.
//!
//! A dependency on a queue of another driver blocks the calling thread. A stream cannot wait for
//! something that the GPU does not know, and a host function that blocks in the driver's own thread
//! would hold up every other stream.

use crate::{
    context::{Context, Current, lock},
    fill::{self, Step},
    kernel::LoadedKernel,
    launch::{self, Geometry},
    mark::StreamMark,
    resources::Resources,
    rows,
    timeline::Timeline,
    times::Times,
    vendor::{Advised, Place, Vendor},
};
use sinter_core::LaunchShape;
use sinter_driver::{Advice, DriverError, Kernel, Mark, MemoryKind, NativeKind, Profile, Queue, Rows, Ticket};
use sinter_dylib::Failure;
use std::{
    any::Any,
    ffi::c_void,
    sync::{Arc, Mutex},
};

/// A queue of a GPU: a stream with tickets.
pub(crate) struct StreamQueue<V: Vendor> {
    timeline: Arc<Timeline<V>>,
    resources: Arc<Resources<V>>,
}

impl<V: Vendor> StreamQueue<V> {
    /// A queue on the stream of a timeline.
    pub(crate) fn new(resources: &Arc<Resources<V>>, timeline: Timeline<V>) -> Self {
        StreamQueue { timeline: resources.open(timeline), resources: Arc::clone(resources) }
    }

    #[inline]
    fn context(&self) -> &Arc<Context<V>> {
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

    /// Checks that a kernel was loaded on this device.
    #[inline]
    fn own_kernel<'a>(&self, kernel: &'a Arc<dyn Kernel>) -> Result<&'a LoadedKernel<V>, DriverError> {
        let kernel = kernel.as_any().downcast_ref::<LoadedKernel<V>>();
        let own = kernel.filter(|kernel| Arc::ptr_eq(&kernel.context, self.context()));
        own.ok_or_else(|| self.foreign("kernel"))
    }

    fn check_ticket(&self, ticket: Ticket, last: Ticket) -> Result<(), DriverError> {
        if ticket <= last {
            return Ok(());
        }
        Err(DriverError::UnknownTicket { device: self.device(), ticket: ticket.0, last: last.0 })
    }

    /// Makes one command of the driver's calls. `kernel` is the number of the kernel that they
    /// launch, or 0.
    #[inline]
    fn submit(&self, kernel: u32, call: impl FnOnce() -> Result<(), Failure>) -> Result<Ticket, DriverError> {
        let _current = self.context().enter()?;
        if let Some(times) = self.timeline.times() {
            return self.submit_timed(times, kernel, call);
        }
        call().map_err(|failure| self.context().report(failure))?;
        Ok(self.timeline.accept(kernel))
    }

    /// Makes one command of several calls of the driver; `act` counts the calls that it accepted.
    /// If a call fails after others were accepted, the command still gets a ticket, because those
    /// calls run and have to be waited for.
    fn submit_steps(&self, act: impl FnOnce(&mut usize) -> Result<(), Failure>) -> Result<Ticket, DriverError> {
        let (mut taken, mut result) = (0, Ok(()));
        let ticket = self.submit(0, || {
            result = act(&mut taken);
            if taken > 0 { Ok(()) } else { result }
        })?;
        result.map(|()| ticket).map_err(|failure| self.context().report(failure))
    }

    /// Submits a command between two timestamps. The lock keeps the events of one command together.
    #[cold]
    fn submit_timed(
        &self,
        times: &Mutex<Times<V>>,
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

    /// Submits a launch to the driver.
    ///
    /// # Safety
    /// As for [`Queue::launch`]. The context is current.
    #[inline]
    unsafe fn call_launch(
        &self,
        kernel: &LoadedKernel<V>,
        geometry: &Geometry,
        arguments: &[u8],
    ) -> Result<(), Failure> {
        kernel.grant(geometry.local_memory)?;
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        let (function, size) = (kernel.function.0, kernel.argument_size);
        let local_memory = geometry.local_memory - kernel.fixed_local_memory.min(geometry.local_memory);
        let geometry = &Geometry { local_memory, ..*geometry };
        // SAFETY: kernel and stream are alive, the geometry was checked, and the buffer has `size`
        // bytes, which the driver copies.
        let launch = || unsafe { api.launch(function, geometry, arguments.as_ptr(), size, stream) };
        match &kernel.metered {
            None => launch(),
            Some(metered) => metered.launch((self.context(), self.timeline.stream), geometry.items(), launch),
        }
    }

    /// Submits one step of a fill. The context is current.
    fn call_fill(&self, destination: usize, step: Step) -> Result<(), Failure> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        match step {
            // SAFETY: the caller of `fill` guarantees the range; all steps are within it, and it is
            // aligned for the unit.
            Step::Fill { unit, count } => unsafe { api.fill(destination, unit, count, stream) },
            Step::Rows { unit, offset, pitch, rows } => {
                // SAFETY: as above.
                unsafe { api.fill_rows(destination + offset, unit, pitch, rows, stream) }
            }
            // SAFETY: as above; the ranges do not overlap, because the source ends where the
            // destination starts.
            Step::Repeat { offset, size } => unsafe { api.copy(destination + offset, destination, size, stream) },
        }
    }

    /// Submits a copy of rows: one call, or one for each row. The context is current.
    ///
    /// # Safety
    /// As for [`Queue::copy_rows`].
    unsafe fn call_rows(&self, to: usize, from: usize, rows: &Rows, taken: &mut usize) -> Result<(), Failure> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        if V::RECTANGLES && rows::is_one_command(rows) {
            // SAFETY: the caller guarantees the rows.
            return unsafe { api.copy_rows(to, from, rows, stream) };
        }
        for row in 0..rows.height {
            let to = to.wrapping_add(row * rows.destination_pitch);
            let from = from.wrapping_add(row * rows.source_pitch);
            // SAFETY: the caller guarantees each row.
            unsafe { api.copy(to, from, rows.width, stream) }?;
            *taken += 1;
        }
        Ok(())
    }

    /// True if the pointer is in managed memory and the device supports prefetching it. The context
    /// is current.
    fn is_movable(&self, pointer: *const c_void, size: usize) -> bool {
        let known = || self.context().api.about(pointer as usize);
        size > 0 && self.context().limits.prefetch && known().is_some_and(|known| known.kind == MemoryKind::Shared)
    }

    /// Makes the stream wait for a ticket of a queue of this driver. Its own tickets are in order
    /// anyway.
    fn depend_on(&self, other: &StreamQueue<V>, ticket: Ticket) -> Result<(), DriverError> {
        if Arc::ptr_eq(&other.timeline, &self.timeline) {
            return Ok(());
        }
        let current = other.context().enter()?;
        let Some(event) = other.timeline.pending(ticket.0, &current)? else { return Ok(()) };
        drop(current);
        let waiting = self.take_ticket(|| self.timeline.wait_for(&event))?;
        if V::EVENTS_ARE_READ_LATE { self.timeline.keep(waiting, event) } else { Ok(()) }
    }

    /// Takes a ticket for an action that is not a command of the program.
    fn take_ticket(&self, act: impl FnOnce() -> Result<(), DriverError>) -> Result<Ticket, DriverError> {
        let mut result = Ok(());
        let ticket = self.submit(0, || {
            result = act();
            Ok(())
        })?;
        result.map(|()| ticket)
    }

    fn wait_for_times(&self, times: &Mutex<Times<V>>, ticket: Ticket) -> Result<(), DriverError> {
        let end = lock(times).end_of(ticket.0);
        end.map_or(Ok(()), |end| end.wait())
    }

    fn times_of(
        &self,
        times: &Mutex<Times<V>>,
        ticket: Ticket,
        current: &Current<V>,
    ) -> Result<Option<Profile>, DriverError> {
        self.wait_for_times(times, ticket)?;
        lock(times).get(ticket.0, current)
    }
}

impl<V: Vendor> Queue for StreamQueue<V> {
    #[inline]
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        let kernel = self.own_kernel(kernel)?;
        let entry = kernel.entry();
        let geometry = launch::check(shape, entry.local_memory, &kernel.limits, &self.context().limits, V::MOST_ITEMS);
        let geometry = geometry.map_err(|refusal| refusal.about(&entry.symbol, &self.context().info.name))?;
        let (given, needed) = (arguments.len(), kernel.argument_size);
        if given < needed {
            let reason = format!("the argument buffer has {given} bytes, the kernel reads {needed}");
            return Err(self.refused(&entry.symbol, reason));
        }
        let Some(geometry) = geometry else { return self.submit(0, || Ok(())) };
        // SAFETY: the caller guarantees the arguments, of which there are enough.
        self.submit(kernel.number, || unsafe { self.call_launch(kernel, &geometry, arguments) })
    }

    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        let (api, stream) = (&self.context().api, self.timeline.stream.0);
        self.submit(0, || match size {
            0 => Ok(()),
            // SAFETY: the caller guarantees both ranges.
            _ => unsafe { api.copy(destination as usize, source as usize, size, stream) },
        })
    }

    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        if pattern.len().checked_mul(count).is_none() {
            return Err(self.refused("fill", format!("{count} patterns of {} bytes exceed 64 bits", pattern.len())));
        }
        let (address, stream) = (destination as usize, self.timeline.stream.0);
        self.submit_steps(|taken| {
            // SAFETY: the caller guarantees the range.
            let whole = |pattern| unsafe { self.context().api.fill_pattern(address, pattern, count, stream) };
            if let Some(filled) = Some(pattern).filter(|_| pattern.len() * count > 0).and_then(whole) {
                return filled;
            }
            fill::plan(address, pattern, count, V::SEED, |step| {
                self.call_fill(address, step)?;
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
            // SAFETY: the caller guarantees the rows.
            _ => unsafe { self.call_rows(destination as usize, source as usize, &rows, taken) },
        })
    }

    unsafe fn prefetch(&self, pointer: *const c_void, size: usize, to_host: bool) -> Result<Ticket, DriverError> {
        let current = self.context().enter()?;
        if !self.is_movable(pointer, size) {
            return Ok(self.last());
        }
        drop(current);
        let (context, stream) = (self.context(), self.timeline.stream.0);
        let (range, to) = ((pointer as usize, size), if to_host { Place::Host } else { Place::Device });
        // SAFETY: the caller guarantees the range, and the driver manages the memory.
        self.submit(0, || unsafe { context.api.prefetch(context.device, range, to, stream) })
    }

    unsafe fn advise(&self, pointer: *const c_void, size: usize, advice: Advice) -> Result<Ticket, DriverError> {
        let (context, stream) = (self.context(), self.timeline.stream.0);
        let _current = context.enter()?;
        if self.is_movable(pointer, size) {
            for (advice, about) in advices(advice) {
                let (device, range) = (context.device, (pointer as usize, size));
                // SAFETY: the caller guarantees the range. Advice changes no data.
                let advised = unsafe { context.api.advise(device, range, *advice, *about, stream) };
                advised.map_err(|failure| context.report(failure))?;
            }
        }
        Ok(self.last())
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        match kind {
            // SAFETY: the stream is alive.
            NativeKind::Stream => Some(unsafe { self.context().api.native_stream(self.timeline.stream.0) }),
            _ => self.context().native(kind),
        }
    }

    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.context().ready()?;
        self.check_ticket(ticket, other.last())?;
        match other.as_any().and_then(|other| other.downcast_ref::<StreamQueue<V>>()) {
            Some(own) if self.context().api.shares_events(&own.context().api) => self.depend_on(own, ticket),
            _ if other.is_complete(ticket)? => Ok(()),
            _ => {
                other.wait(ticket)?;
                self.take_ticket(|| Ok(())).map(drop)
            }
        }
    }

    fn can_wait_for(&self, other: &Arc<dyn Queue>) -> bool {
        let own = other.as_any().and_then(|other| other.downcast_ref::<StreamQueue<V>>());
        own.is_some_and(|own| self.context().api.shares_events(&own.context().api))
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
        // Completed commands stay complete in a forked child.
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

    fn has_marks(&self) -> bool {
        V::EVENTS_HAVE_TIMES
    }

    fn mark(&self) -> Result<Option<Arc<dyn Mark>>, DriverError> {
        if !self.has_marks() {
            return Ok(None);
        }
        Ok(Some(Arc::new(StreamMark::record(self.context(), self.timeline.stream)?)))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// The vendors' mem-advise values for an advice, with the place that each refers to.
fn advices(advice: Advice) -> &'static [(Advised, Place)] {
    use Advised::*;
    match advice {
        Advice::ReadMostly => &[(SetReadMostly, Place::Device)],
        Advice::PreferDevice => &[(SetPreferredLocation, Place::Device)],
        Advice::PreferHost => &[(SetPreferredLocation, Place::Host)],
        _ => &[(UnsetReadMostly, Place::Device), (UnsetPreferredLocation, Place::Device)],
    }
}

impl<V: Vendor> Drop for StreamQueue<V> {
    fn drop(&mut self) {
        self.resources.close(&self.timeline);
    }
}
