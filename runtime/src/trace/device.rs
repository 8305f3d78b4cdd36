//! Drivers, devices and queues that record their commands.
//!
//! In: those of a driver. Out: the same with a record of launches, transfers and waits.
//! *Invariant:* each call goes on to the driver, and its result is the driver's. With a trace,
//! queues record the times of their commands on the device, as for a program that asks for them.
//! For sums of times alone, those do that run on the host, where it costs little, and those whose
//! program asks for times.
#![expect(unsafe_code, reason = "hands on the unsafe calls of drivers")]

use super::{
    names,
    record::{KERNEL, TRANSFER, Track, has_device_times, has_spans, has_totals, span},
};
use sinter_core::{CodeObject, LaunchShape, Target};
use sinter_driver::{
    Advice, Device, DeviceInfo, Driver, DriverError, Kernel, Limit, Mark, Memory, NativeKind, PROFILED_TICKETS,
    Profile, Queue, RegisteredAccess, Rows, Ticket,
};
use std::{
    any::Any,
    collections::VecDeque,
    ffi::c_void,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// The same driver, whose devices are traced.
pub(crate) fn traced(driver: Box<dyn Driver>) -> Box<dyn Driver> {
    Box::new(TracedDriver(driver))
}

struct TracedDriver(Box<dyn Driver>);

impl Driver for TracedDriver {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(self.0.devices()?.into_iter().map(|device| Arc::new(TracedDevice(device)) as Arc<dyn Device>).collect())
    }
    fn absence(&self) -> Option<String> {
        self.0.absence()
    }
}

struct TracedDevice(Arc<dyn Device>);

impl TracedDevice {
    fn traced(&self, inner: Arc<dyn Queue>) -> Arc<dyn Queue> {
        let wants_times = has_device_times() || has_totals() && self.0.target().runs_in_process();
        // Without times, launches and waits are recorded all the same.
        let has_times = AtomicBool::new(wants_times && inner.enable_profiling().is_ok());
        let (track, running) = (Track::new(&self.0.info().name), Mutex::default());
        Arc::new(TracedQueue { inner, track, has_times, running })
    }
}

impl Device for TracedDevice {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }
    fn target(&self) -> &Target {
        self.0.target()
    }
    fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        self.0.assemble(code)
    }
    fn open_assembler(&self) {
        self.0.open_assembler();
    }

    fn assembler(&self) -> Option<&str> {
        self.0.assembler()
    }
    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.0.is_assembled(code)
    }
    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.0.load(code)
    }
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        Ok(self.traced(self.0.create_queue()?))
    }
    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.0.choose_group_size(global)
    }
    fn memory(&self) -> &dyn Memory {
        self.0.memory()
    }
    unsafe fn register_memory(
        &self,
        pointer: *mut c_void,
        size: usize,
        access: RegisteredAccess,
    ) -> Result<*mut c_void, DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.0.register_memory(pointer, size, access) }
    }
    unsafe fn unregister_memory(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.0.unregister_memory(pointer) }
    }
    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        self.0.native(kind)
    }
    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        Ok(self.traced(unsafe { self.0.adopt_queue(handle) }?))
    }
    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        self.0.set_peer_access(other, enable)
    }
    fn set_limit(&self, limit: Limit, value: usize) -> Result<bool, DriverError> {
        self.0.set_limit(limit, value)
    }
    fn part(&self, units: u32) -> Result<Arc<dyn Device>, DriverError> {
        Ok(Arc::new(TracedDevice(self.0.part(units)?)))
    }
    fn node_count(&self) -> u32 {
        self.0.node_count()
    }
    fn part_of_node(&self, node: u32) -> Result<Arc<dyn Device>, DriverError> {
        Ok(Arc::new(TracedDevice(self.0.part_of_node(node)?)))
    }
    fn copies_from(&self, other: &dyn Device) -> bool {
        self.0.copies_from(other)
    }
    fn as_any(&self) -> Option<&dyn Any> {
        self.0.as_any()
    }
}

/// A command whose times are still to come.
struct Running {
    ticket: Ticket,
    name: Arc<str>,
    category: &'static str,
}

struct TracedQueue {
    inner: Arc<dyn Queue>,
    track: Track,
    has_times: AtomicBool,
    running: Mutex<VecDeque<Running>>,
}

impl TracedQueue {
    /// Submits a command that is recorded.
    fn submit(
        &self,
        span_name: &'static str,
        (name, category): (impl FnOnce() -> Arc<str>, &'static str),
        submit: impl FnOnce(&dyn Queue) -> Result<Ticket, DriverError>,
    ) -> Result<Ticket, DriverError> {
        let is_timed = self.has_times.load(Ordering::Relaxed) && (category == KERNEL || has_device_times());
        if !is_timed && !has_spans() {
            return submit(&*self.inner);
        }
        let name = name();
        let ticket = {
            let _span =
                span(span_name, || [("command", String::from(&*name)), ("queue", self.track.number.to_string())]);
            submit(&*self.inner)?
        };
        if is_timed {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.push_back(Running { ticket, name, category });
            self.record(&mut running);
        }
        Ok(ticket)
    }

    /// Records the commands that are complete. Times are kept for so many commands only.
    fn record(&self, running: &mut VecDeque<Running>) {
        while let Some(first) = running.front() {
            let is_forgotten = running.len() as u64 >= PROFILED_TICKETS;
            if !is_forgotten && !matches!(self.inner.is_complete(first.ticket), Ok(true)) {
                return;
            }
            if !is_forgotten && let Ok(Some(Profile { start, end, .. })) = self.inner.profile(first.ticket) {
                self.track.command(&first.name, first.category, start, end);
            }
            running.pop_front();
        }
    }

    fn record_all(&self) {
        self.record(&mut self.running.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for TracedQueue {
    fn drop(&mut self) {
        self.record_all();
    }
}

fn bytes(size: usize) -> String {
    format!("{size} bytes")
}

impl Queue for TracedQueue {
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        let name = || names::of(&kernel.entry().symbol);
        // SAFETY: the same contract, upheld by the caller.
        self.submit("launch", (name, KERNEL), |inner| unsafe { inner.launch(kernel, shape, arguments) })
    }
    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        let name = || format!("copy of {}", bytes(size)).into();
        // SAFETY: the same contract, upheld by the caller.
        self.submit("copy", (name, TRANSFER), |inner| unsafe { inner.copy(destination, source, size) })
    }
    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        let name = || format!("fill of {}", bytes(pattern.len().saturating_mul(count))).into();
        // SAFETY: the same contract, upheld by the caller.
        self.submit("fill", (name, TRANSFER), |inner| unsafe { inner.fill(destination, pattern, count) })
    }
    unsafe fn copy_rows(
        &self,
        destination: *mut c_void,
        source: *const c_void,
        rows: Rows,
    ) -> Result<Ticket, DriverError> {
        let name = || format!("copy of {} rows of {}", rows.height, bytes(rows.width)).into();
        // SAFETY: the same contract, upheld by the caller.
        self.submit("copy", (name, TRANSFER), |inner| unsafe { inner.copy_rows(destination, source, rows) })
    }
    unsafe fn prefetch(&self, pointer: *const c_void, size: usize, to_host: bool) -> Result<Ticket, DriverError> {
        let name = || format!("prefetch of {}", bytes(size)).into();
        // SAFETY: the same contract, upheld by the caller.
        self.submit("prefetch", (name, TRANSFER), |inner| unsafe { inner.prefetch(pointer, size, to_host) })
    }
    unsafe fn advise(&self, pointer: *const c_void, size: usize, advice: Advice) -> Result<Ticket, DriverError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.inner.advise(pointer, size, advice) }
    }
    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        self.inner.native(kind)
    }
    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.inner.depend(other, ticket)
    }
    fn can_wait_for(&self, other: &Arc<dyn Queue>) -> bool {
        self.inner.can_wait_for(other)
    }
    fn last(&self) -> Ticket {
        self.inner.last()
    }
    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        self.inner.is_complete(ticket)
    }
    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        let result = {
            let _span = span("wait", || [("queue", self.track.number.to_string())]);
            self.inner.wait(ticket)
        };
        self.record_all();
        result
    }
    fn enable_profiling(&self) -> Result<(), DriverError> {
        self.inner.enable_profiling()?;
        self.has_times.store(has_totals(), Ordering::Relaxed);
        Ok(())
    }
    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.inner.profile(ticket)
    }
    fn has_marks(&self) -> bool {
        self.inner.has_marks()
    }
    fn mark(&self) -> Result<Option<Arc<dyn Mark>>, DriverError> {
        self.inner.mark()
    }
    fn as_any(&self) -> Option<&dyn Any> {
        self.inner.as_any()
    }
}
