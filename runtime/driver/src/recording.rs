//! A driver for tests that records calls instead of running anything.
//!
//! In: calls of the driver traits. Out: one [`Call`] each, in order and with its arguments.
//! Allocations are real, and copies and fills take effect at once, so that code under test can
//! inspect memory; a kernel is only recorded. *Invariant:* a ticket is complete when its method
//! returns, unless the queues are held: then tickets complete in order on
//! [`RecordingDriver::release`]. Times are synthetic: ticket N is submitted at 10 N, starts one
//! nanosecond later and ends another nanosecond later.

use crate::{
    Advice, Device, DeviceFeatures, DeviceInfo, DeviceKind, Driver, DriverError, Kernel, Memory, MemoryKind,
    PROFILED_TICKETS, PointerInfo, Profile, Queue, Ticket, meter::Meter,
};
use sinter_core::{CodeObject, EntryInfo, HostTarget, LaunchShape, Target};
use std::{
    alloc::{Layout, alloc, dealloc},
    any::Any,
    collections::BTreeMap,
    ffi::c_void,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// A call that a [`RecordingDriver`] received. Queues are numbered in the order of their creation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the argument of that name of the method")]
pub enum Call {
    /// [`Device::load`].
    Load { symbol: String, size: usize },
    /// [`Device::create_queue`].
    CreateQueue { queue: u64 },
    /// [`Device::choose_group_size`].
    ChooseGroupSize { global: [u64; 3] },
    /// [`Memory::allocate`].
    Allocate { kind: MemoryKind, size: usize, alignment: usize },
    /// [`Memory::free`].
    Free { pointer: usize },
    /// [`Queue::launch`].
    Launch { queue: u64, symbol: String, shape: LaunchShape, arguments: Vec<u8> },
    /// [`Queue::copy`].
    Copy { queue: u64, destination: usize, source: usize, size: usize },
    /// [`Queue::fill`].
    Fill { queue: u64, destination: usize, pattern: Vec<u8>, count: usize },
    /// [`Queue::prefetch`].
    Prefetch { queue: u64, pointer: usize, size: usize, to_host: bool },
    /// [`Queue::advise`].
    Advise { queue: u64, pointer: usize, size: usize, advice: Advice },
    /// [`Queue::depend`]. `other` is `None` for a queue of another driver.
    Depend { queue: u64, other: Option<u64>, ticket: Ticket },
    /// [`Queue::wait`].
    Wait { queue: u64, ticket: Ticket },
    /// Successful [`Queue::enable_profiling`].
    EnableProfiling { queue: u64 },
    /// A kernel was dropped.
    Unload { symbol: String },
}

/// The time that a run of a kernel seems to take.
pub type RunTime = fn(&EntryInfo, &LaunchShape) -> Duration;

/// State shared by the driver, its device and its queues.
#[derive(Debug, Default)]
struct Recorder {
    calls: Mutex<Vec<Call>>,
    allocations: Mutex<BTreeMap<usize, (Layout, MemoryKind)>>,
    queues: AtomicU64,
    held: Mutex<bool>,
    released: Condvar,
    /// The time of a run, for drivers that time kernels.
    times: Mutex<Option<RunTime>>,
}

/// A poisoned lock only means that another test thread panicked; the data is still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    fn record(&self, call: Call) {
        lock(&self.calls).push(call);
    }
}

/// A driver with one device that records its calls.
#[derive(Debug, Clone)]
pub struct RecordingDriver {
    device: Arc<RecordingDevice>,
}

impl Default for RecordingDriver {
    fn default() -> Self {
        Self::new()
    }
}

impl RecordingDriver {
    /// Creates a driver with one device and no recorded calls.
    pub fn new() -> Self {
        let recorder = Arc::new(Recorder::default());
        let target = HostTarget {
            triple: "recording".into(),
            cpu: "generic".into(),
            features: String::new(),
            line_tables: false,
        };
        let memory = RecordingMemory { recorder: Arc::clone(&recorder) };
        let device = RecordingDevice { recorder, info: recording_info(), target: Target::Host(target), memory };
        RecordingDriver { device: Arc::new(device) }
    }

    /// Calls so far, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        lock(&self.device.recorder.calls).clone()
    }

    /// Returns the calls so far and clears the record.
    pub fn take_calls(&self) -> Vec<Call> {
        std::mem::take(&mut lock(&self.device.recorder.calls))
    }

    /// Times kernels from now on: a run of a kernel seems to take what `times` says.
    pub fn time_kernels(&self, times: RunTime) {
        *lock(&self.device.recorder.times) = Some(times);
    }

    /// Keeps later tickets incomplete until [`RecordingDriver::release`].
    pub fn hold(&self) {
        *lock(&self.device.recorder.held) = true;
    }

    /// Completes all tickets.
    pub fn release(&self) {
        *lock(&self.device.recorder.held) = false;
        self.device.recorder.released.notify_all();
    }
}

fn recording_info() -> DeviceInfo {
    DeviceInfo {
        name: "recording".into(),
        vendor: "Sinter".into(),
        vendor_id: 0,
        driver: "recording",
        driver_version: env!("CARGO_PKG_VERSION").into(),
        kind: DeviceKind::Other,
        compute_units: 1,
        max_work_group_size: 1024,
        max_work_item_sizes: [1024; 3],
        global_memory: 1 << 30,
        local_memory: 1 << 16,
        max_allocation: 1 << 30,
        clock_mhz: 0,
        cache_line: 64,
        sub_group_sizes: vec![1],
        features: DeviceFeatures(
            DeviceFeatures::USM_DEVICE | DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED | DeviceFeatures::TIMES,
        ),
    }
}

impl Driver for RecordingDriver {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(vec![Arc::clone(&self.device) as Arc<dyn Device>])
    }

    fn absence(&self) -> Option<String> {
        None
    }
}

#[derive(Debug)]
struct RecordingDevice {
    recorder: Arc<Recorder>,
    info: DeviceInfo,
    target: Target,
    memory: RecordingMemory,
}

impl Device for RecordingDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.recorder.record(Call::Load { symbol: code.entry.symbol.clone(), size: code.bytes.len() });
        let (recorder, entry) = (Arc::clone(&self.recorder), code.entry.clone());
        Ok(Arc::new(RecordingKernel { recorder, entry, meter: None }))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        let number = self.recorder.queues.fetch_add(1, Ordering::Relaxed);
        self.recorder.record(Call::CreateQueue { queue: number });
        Ok(Arc::new(RecordingQueue {
            recorder: Arc::clone(&self.recorder),
            number,
            last: AtomicU64::new(0),
            profiled: AtomicBool::new(false),
        }))
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.recorder.record(Call::ChooseGroupSize { global });
        [global[0].clamp(1, 1024) as u32, 1, 1]
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }
}

struct RecordingKernel {
    recorder: Arc<Recorder>,
    entry: EntryInfo,
    /// With the times of runs.
    meter: Option<(Arc<Meter>, RunTime)>,
}

impl Kernel for RecordingKernel {
    fn entry(&self) -> &EntryInfo {
        &self.entry
    }

    fn group_sizes(&self, global: [u64; 3]) -> Vec<[u32; 3]> {
        let is_large = global[0] >= 1024 && lock(&self.recorder.times).is_some();
        if is_large { vec![[1024, 1, 1], [256, 1, 1], [64, 1, 1]] } else { Vec::new() }
    }

    fn metered(&self, meter: &Arc<Meter>) -> Option<Arc<dyn Kernel>> {
        let times = (*lock(&self.recorder.times))?;
        let (recorder, entry) = (Arc::clone(&self.recorder), self.entry.clone());
        let meter = Some((Arc::clone(meter), times));
        Some(Arc::new(RecordingKernel { recorder, entry, meter }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for RecordingKernel {
    fn drop(&mut self) {
        self.recorder.record(Call::Unload { symbol: self.entry.symbol.clone() });
    }
}

#[derive(Debug)]
struct RecordingMemory {
    recorder: Arc<Recorder>,
}

impl Memory for RecordingMemory {
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError> {
        self.recorder.record(Call::Allocate { kind, size, alignment });
        let full = || DriverError::OutOfMemory { device: "recording".into(), size, alignment, free: None };
        let layout = Layout::from_size_align(size, alignment).map_err(|_| full())?;
        if size == 0 || size as u64 > 1 << 30 {
            return Err(full());
        }
        // SAFETY: the size is not zero.
        let pointer = unsafe { alloc(layout) };
        if pointer.is_null() {
            return Err(full());
        }
        lock(&self.recorder.allocations).insert(pointer as usize, (layout, kind));
        Ok(pointer.cast())
    }

    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        self.recorder.record(Call::Free { pointer: pointer as usize });
        let unknown = || DriverError::UnknownPointer { device: "recording".into(), pointer: pointer as usize };
        let (layout, _) = lock(&self.recorder.allocations).remove(&(pointer as usize)).ok_or_else(unknown)?;
        // SAFETY: the pointer was allocated with this layout and has just been removed from the
        // table.
        unsafe { dealloc(pointer.cast(), layout) };
        Ok(())
    }

    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        let allocations = lock(&self.recorder.allocations);
        let (&base, &(layout, kind)) = allocations.range(..=pointer as usize).next_back()?;
        let inside = (pointer as usize) - base < layout.size();
        inside.then_some(PointerInfo { kind, base: base as *mut c_void, size: layout.size() })
    }
}

#[derive(Debug)]
struct RecordingQueue {
    recorder: Arc<Recorder>,
    number: u64,
    last: AtomicU64,
    profiled: AtomicBool,
}

impl RecordingQueue {
    fn submit(&self, call: Call) -> Ticket {
        self.recorder.record(call);
        Ticket(self.last.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn check(&self, ticket: Ticket) -> Result<(), DriverError> {
        let last = self.last();
        if ticket <= last {
            return Ok(());
        }
        Err(DriverError::UnknownTicket { device: "recording".into(), ticket: ticket.0, last: last.0 })
    }

    fn await_release(&self) {
        let mut held = lock(&self.recorder.held);
        while *held {
            held = self.recorder.released.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue for RecordingQueue {
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        let foreign = || DriverError::Foreign { device: "recording".into(), what: "kernel" };
        let kernel = kernel.as_any().downcast_ref::<RecordingKernel>().ok_or_else(foreign)?;
        if let Some((meter, times)) = &kernel.meter {
            meter.note(1, times(&kernel.entry, shape));
        }
        let symbol = kernel.entry.symbol.clone();
        Ok(self.submit(Call::Launch { queue: self.number, symbol, shape: *shape, arguments: arguments.to_vec() }))
    }

    unsafe fn copy(&self, destination: *mut c_void, source: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        // SAFETY: valid ranges, by the caller's promise.
        unsafe { destination.cast::<u8>().copy_from_nonoverlapping(source.cast(), size) };
        let (destination, source) = (destination as usize, source as usize);
        Ok(self.submit(Call::Copy { queue: self.number, destination, source, size }))
    }

    unsafe fn fill(&self, destination: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        for i in 0..count {
            // SAFETY: room for `count` patterns at `destination`, by the caller's promise.
            let target = unsafe { destination.cast::<u8>().add(i * pattern.len()) };
            // SAFETY: as above; the pattern does not overlap the range that it fills.
            unsafe { target.copy_from_nonoverlapping(pattern.as_ptr(), pattern.len()) };
        }
        let (destination, pattern) = (destination as usize, pattern.to_vec());
        Ok(self.submit(Call::Fill { queue: self.number, destination, pattern, count }))
    }

    unsafe fn prefetch(&self, pointer: *const c_void, size: usize, to_host: bool) -> Result<Ticket, DriverError> {
        Ok(self.submit(Call::Prefetch { queue: self.number, pointer: pointer as usize, size, to_host }))
    }

    unsafe fn advise(&self, pointer: *const c_void, size: usize, advice: Advice) -> Result<Ticket, DriverError> {
        self.recorder.record(Call::Advise { queue: self.number, pointer: pointer as usize, size, advice });
        Ok(self.last())
    }

    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        let other = other.as_any().and_then(|other| other.downcast_ref::<RecordingQueue>());
        other.map_or(Ok(()), |other| other.check(ticket))?;
        if other.is_some_and(|other| other.number != self.number && !matches!(other.is_complete(ticket), Ok(true))) {
            self.last.fetch_add(1, Ordering::SeqCst);
        }
        self.recorder.record(Call::Depend { queue: self.number, other: other.map(|other| other.number), ticket });
        Ok(())
    }

    fn last(&self) -> Ticket {
        Ticket(self.last.load(Ordering::SeqCst))
    }

    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        Ok(ticket.0 == 0 || (ticket <= self.last() && !*lock(&self.recorder.held)))
    }

    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        self.check(ticket)?;
        self.recorder.record(Call::Wait { queue: self.number, ticket });
        if ticket.0 > 0 {
            self.await_release();
        }
        Ok(())
    }

    fn enable_profiling(&self) -> Result<(), DriverError> {
        if self.profiled.load(Ordering::SeqCst) {
            return Ok(());
        }
        if self.last() > Ticket(0) {
            return Err(DriverError::LateProfiling { device: "recording".into(), commands: self.last().0 });
        }
        self.profiled.store(true, Ordering::SeqCst);
        self.recorder.record(Call::EnableProfiling { queue: self.number });
        Ok(())
    }

    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.check(ticket)?;
        let kept = ticket.0 > 0 && ticket.0 + PROFILED_TICKETS > self.last().0;
        if !kept || !self.profiled.load(Ordering::SeqCst) {
            return Ok(None);
        }
        self.await_release();
        let submit = 10 * ticket.0;
        Ok(Some(Profile { submit, start: submit + 1, end: submit + 2 }))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_calls_in_order() {
        let driver = RecordingDriver::new();
        let device = driver.devices().expect("devices").remove(0);
        let queue = device.create_queue().expect("queue");
        let pointer = device.memory().allocate(MemoryKind::Shared, 8, 8).expect("allocation");
        // SAFETY: eight bytes were allocated and nothing else uses them.
        let ticket = unsafe { queue.fill(pointer, b"ab", 4) }.expect("fill");
        queue.wait(ticket).expect("wait");
        let (destination, pattern) = (pointer as usize, b"ab".to_vec());
        let expected = vec![
            Call::CreateQueue { queue: 0 },
            Call::Allocate { kind: MemoryKind::Shared, size: 8, alignment: 8 },
            Call::Fill { queue: 0, destination, pattern, count: 4 },
            Call::Wait { queue: 0, ticket: Ticket(1) },
        ];
        assert_eq!(driver.take_calls(), expected);
        // SAFETY: the only command that used it is complete.
        unsafe { device.memory().free(pointer) }.expect("free");
    }

    #[test]
    fn held_tickets_complete_on_release() {
        let driver = RecordingDriver::new();
        let queue = driver.devices().expect("devices").remove(0).create_queue().expect("queue");
        driver.hold();
        // SAFETY: nothing is written.
        let ticket = unsafe { queue.fill(std::ptr::dangling_mut::<u8>().cast(), b"a", 0) }.expect("fill");
        assert!(!queue.is_complete(ticket).expect("query"));
        driver.release();
        assert!(queue.is_complete(ticket).expect("query"));
    }

    #[test]
    fn conforms() {
        let device = RecordingDriver::new().devices().expect("devices").remove(0);
        let failures = crate::conformance::failures(&crate::conformance::check(device.as_ref(), None));
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
