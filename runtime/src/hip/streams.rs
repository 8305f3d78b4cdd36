//! Streams: queues, with the rule of the null stream.
//!
//! In: handles of programs. Out: a stream that may be submitted to. *Invariant:* a command of the
//! null stream starts after all earlier commands of its device's blocking streams, and later
//! commands of those start after it.

use super::{
    error::{Code, Outcome, Refusal},
    thread,
};
use crate::{devices::DeviceEntry, error::RuntimeError, queue::Queue, runtime::Runtime};
use sinter_driver::Ticket;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Handles with a meaning of their own; 0 is the null stream too.
const LEGACY: usize = 1;
pub(crate) const OF_THREAD: usize = 2;

/// A stream of a program, or the null stream of a device.
pub(crate) struct Stream {
    pub(crate) queue: Queue,
    pub(crate) device: u32,
    kind: Kind,
    pub(crate) flags: u32,
    pub(crate) priority: i32,
    /// Last ticket of the null stream that it waits for.
    waits_for: Awaited,
    /// Last ticket of its own that the null stream waits for.
    awaited: Awaited,
}

/// The last ticket of a stream for which another waits.
#[derive(Default)]
struct Awaited {
    ticket: AtomicU64,
    submits: Mutex<()>,
}

impl Awaited {
    /// Submits the wait for `ticket` if it is not there yet. When this returns it is there,
    /// whichever thread submitted it.
    fn reach(&self, ticket: Ticket, submit: impl FnOnce() -> Result<(), RuntimeError>) -> Result<(), RuntimeError> {
        let is_there = || self.ticket.load(Ordering::Acquire) >= ticket.0;
        if is_there() {
            return Ok(());
        }
        let _only_one = self.submits.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_there() {
            submit()?;
            self.ticket.store(ticket.0, Ordering::Release);
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Blocking,
    NonBlocking,
}

/// Streams of a device.
#[derive(Default)]
struct OfDevice {
    null: OnceLock<Arc<Stream>>,
    others: Mutex<Others>,
}

/// All streams of a device but the null stream.
#[derive(Default)]
struct Others {
    by_handle: BTreeMap<usize, Arc<Stream>>,
    /// Those that the null stream waits for; shared with threads that go through them.
    blocking: Arc<Vec<Arc<Stream>>>,
}

impl Others {
    fn insert(&mut self, handle: usize, stream: Arc<Stream>) {
        self.by_handle.insert(handle, stream);
        self.find_blocking();
    }

    fn remove(&mut self, handle: &usize) -> Option<Arc<Stream>> {
        let removed = self.by_handle.remove(handle);
        self.find_blocking();
        removed
    }

    fn find_blocking(&mut self) {
        let blocking = self.by_handle.values().filter(|stream| stream.kind == Kind::Blocking);
        self.blocking = Arc::new(blocking.cloned().collect());
    }
}

static DEVICES: OnceLock<Vec<OfDevice>> = OnceLock::new();

/// The streams that a thread has for itself, by device. They end with the thread.
#[derive(Default)]
struct Own(BTreeMap<u32, Arc<Stream>>);

impl Drop for Own {
    fn drop(&mut self) {
        for (device, stream) in &self.0 {
            // Nobody asks for its errors any more.
            let _ = stream.queue.finish();
            let streams = DEVICES.get().and_then(|devices| devices.get(*device as usize));
            streams.map(|streams| streams.others().remove(&address(stream)));
        }
    }
}

thread_local! {
    static OWN: RefCell<Own> = const { RefCell::new(Own(BTreeMap::new())) };
}

fn devices(runtime: &Runtime) -> &'static [OfDevice] {
    DEVICES.get_or_init(|| runtime.devices().visible.iter().map(|_| OfDevice::default()).collect())
}

fn of_device(runtime: &Runtime, device: u32) -> Outcome<&'static OfDevice> {
    let found = devices(runtime).get(device as usize);
    found.ok_or_else(|| Refusal::new(Code::InvalidDevice, "device", format!("there is no device {device}")))
}

impl OfDevice {
    fn others(&self) -> MutexGuard<'_, Others> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<Arc<Stream>> {
        self.null.get().cloned().into_iter().chain(self.others().by_handle.values().cloned()).collect()
    }
}

impl Stream {
    fn new(runtime: &Runtime, device: u32, kind: Kind, flags: u32, priority: i32) -> Result<Arc<Self>, RuntimeError> {
        let queue = runtime.create_queue(device)?;
        // Without marks, events ask for times of commands; a device that has none gives the times
        // of the host.
        if !queue.has_marks() {
            let _ = queue.enable_profiling();
        }
        let none = Awaited::default;
        Ok(Arc::new(Stream { queue, device, kind, flags, priority, waits_for: none(), awaited: none() }))
    }

    /// Ticket of the last command.
    pub(crate) fn last(&self) -> Ticket {
        self.queue.driver_queue().last()
    }

    fn wait_for_null(&self, null: &Stream) -> Result<(), RuntimeError> {
        let last = null.last();
        self.waits_for.reach(last, || self.queue.depend(&null.queue, last))
    }

    fn wait_for_blocking(&self, blocking: &Stream) -> Result<(), RuntimeError> {
        let last = blocking.last();
        blocking.awaited.reach(last, || self.queue.depend(&blocking.queue, last))
    }

    /// Applies the rule of the null stream before a command is submitted.
    pub(crate) fn enter(&self, runtime: &Runtime) -> Outcome {
        let device = of_device(runtime, self.device)?;
        match self.kind {
            Kind::NonBlocking => {}
            Kind::Blocking => device.null.get().map_or(Ok(()), |null| self.wait_for_null(null))?,
            Kind::Null => {
                let blocking = Arc::clone(&device.others().blocking);
                blocking.iter().try_for_each(|other| self.wait_for_blocking(other))?;
            }
        }
        Ok(())
    }
}

/// The null stream of the thread's device.
fn null(runtime: &Runtime) -> Outcome<Arc<Stream>> {
    let (number, streams) = (thread::device(), of_device(runtime, thread::device())?);
    if let Some(stream) = streams.null.get() {
        return Ok(Arc::clone(stream));
    }
    let made = Stream::new(runtime, number, Kind::Null, 0, 0)?;
    Ok(Arc::clone(streams.null.get_or_init(|| made)))
}

/// The stream that the calling thread has for itself.
fn of_thread(runtime: &Runtime) -> Outcome<Arc<Stream>> {
    let number = thread::device();
    if let Some(stream) = OWN.with_borrow(|own| own.0.get(&number).cloned()) {
        return Ok(stream);
    }
    let made = Stream::new(runtime, number, Kind::Blocking, 0, 0)?;
    of_device(runtime, number)?.others().insert(address(&made), Arc::clone(&made));
    OWN.with_borrow_mut(|own| own.0.insert(number, Arc::clone(&made)));
    Ok(made)
}

fn address(stream: &Arc<Stream>) -> usize {
    Arc::as_ptr(stream).addr()
}

/// The stream of a handle.
pub(crate) fn find(runtime: &Runtime, handle: usize) -> Outcome<Arc<Stream>> {
    match handle {
        0 | LEGACY => null(runtime),
        OF_THREAD => of_thread(runtime),
        _ => {
            let found = devices(runtime).iter().find_map(|device| device.others().by_handle.get(&handle).cloned());
            found.ok_or_else(|| Refusal::new(Code::InvalidHandle, "stream", "is not a stream, or was destroyed"))
        }
    }
}

/// Makes a stream of the thread's device. Returns its handle.
pub(crate) fn create(runtime: &Runtime, flags: u32, priority: i32) -> Outcome<usize> {
    let kind = match flags {
        0 => Kind::Blocking,
        1 => Kind::NonBlocking,
        _ => return Err(Refusal::new(Code::InvalidValue, "flags", format!("{flags} is not 0 or 1"))),
    };
    let number = thread::device();
    let device = of_device(runtime, number)?;
    let made = Stream::new(runtime, number, kind, flags, priority)?;
    device.others().insert(address(&made), Arc::clone(&made));
    Ok(address(&made))
}

/// Waits for a stream's commands and forgets its handle.
pub(crate) fn destroy(runtime: &Runtime, handle: usize) -> Outcome {
    let stream = find(runtime, handle)?;
    if stream.kind == Kind::Null || handle == OF_THREAD {
        return Err(Refusal::new(Code::InvalidHandle, "stream", "is not one that the program made"));
    }
    let result = stream.queue.finish();
    of_device(runtime, stream.device)?.others().remove(&handle);
    Ok(result?)
}

/// Waits for all commands of a device.
pub(crate) fn wait_for_device(runtime: &Runtime, device: u32) -> Outcome {
    let all = of_device(runtime, device)?.all();
    Ok(all.iter().map(|stream| stream.queue.wait_all()).fold(Ok(()), Result::and)?)
}

/// Waits for the commands of all devices that may use memory.
pub(crate) fn wait_for_all(runtime: &Runtime) -> Outcome {
    (0..devices(runtime).len()).try_for_each(|device| wait_for_device(runtime, device as u32))
}

/// The device of the calling thread.
pub(crate) fn device(runtime: &Runtime) -> Outcome<&Arc<DeviceEntry>> {
    Ok(runtime.device(thread::device())?)
}
