//! Where the parallel algorithms of ISO C++ run.
//!
//! In: launches of any thread. Out: the kernel on the device of that thread, or on the CPU of the
//! host if the device cannot reach what the kernel uses. *Invariant:* a queue is never used by two
//! threads or two processes, and a kernel never starts on a device that may not reach its memory.

mod obstacle;
mod place;
mod scratch;

use crate::{
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
    launch::Leads,
    queue::Queue,
    runtime::Runtime,
    settings::StdparOptions,
};
use obstacle::Obstacle;
use place::{Place, Reach};
use sinter_core::TranslateCause;
use sinter_driver::{DeviceKind, DriverError, MemoryKind, Ticket};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashSet},
    ffi::c_void,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Work-items that share a part of a range on a GPU.
const GROUP: u32 = 256;

/// A queue for algorithms, the memory that its kernels reach, and the work-items that share a part
/// of a range.
#[derive(Clone)]
struct Route {
    queue: Queue,
    reach: Reach,
    group: u32,
}

/// The state of a thread.
#[derive(Default)]
struct Thread {
    /// The device that the thread has chosen.
    device: Option<u32>,
    own: Option<Route>,
    host: Option<Route>,
    /// The last kernel on the own queue that no one has waited for.
    started: Option<Ticket>,
}

thread_local! {
    static THREAD: RefCell<Thread> = RefCell::default();
}

static REPORTED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Starts of the memory that was given for allocations of the program.
static PIECES: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

fn with_pieces<R>(action: impl FnOnce(&mut BTreeSet<usize>) -> R) -> R {
    action(&mut PIECES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Forgets memory that is given back.
pub(crate) fn forget_memory(start: *mut c_void) {
    with_pieces(|pieces| pieces.remove(&start.addr()));
}

/// Launches by place.
#[derive(Default)]
pub(crate) struct Counts {
    /// On the device of the thread.
    pub(crate) chosen: AtomicU64,
    /// On the CPU of the host instead.
    pub(crate) instead: AtomicU64,
}

pub(crate) static COUNTS: Counts = Counts { chosen: AtomicU64::new(0), instead: AtomicU64::new(0) };

/// A launch of the C interface, for any queue.
pub(crate) trait Submit {
    /// Starts the kernel.
    fn start(&self, queue: &Queue) -> Result<Ticket, RuntimeError>;
    /// The reach of the kernel's code for the queue's device.
    fn leads(&self, queue: &Queue) -> Result<Arc<Leads>, RuntimeError>;
    /// The argument block.
    fn block(&self) -> &[u8];
    /// Name of the kernel, for people.
    fn name(&self) -> String;
}

/// The algorithms of a process.
#[derive(Clone, Copy)]
pub(crate) struct Stdpar<'r> {
    pub(crate) runtime: &'r Runtime,
    pub(crate) options: &'r StdparOptions,
}

impl Stdpar<'_> {
    fn own(&self, chosen: Option<u32>) -> Result<Route, RuntimeError> {
        self.route(match chosen {
            Some(index) => place::numbered(self.runtime, self.options, index),
            None => place::usual(self.runtime, self.options),
        }?)
    }

    fn route(&self, place: Place) -> Result<Route, RuntimeError> {
        let group = self.options.group_size.unwrap_or_else(|| usual_group(&place.device));
        Ok(Route { queue: Queue::new(&place.device)?, reach: place.reach, group })
    }

    /// The thread's queue on its device. A thread that is ending gets one for this call only.
    fn chosen(&self) -> Result<Route, RuntimeError> {
        let kept = THREAD.try_with(|thread| {
            let thread = &mut *thread.borrow_mut();
            let Thread { device, own, .. } = thread;
            match own {
                Some(route) => Ok(route.clone()),
                empty => self.own(*device).map(|route| empty.insert(route).clone()),
            }
        });
        kept.unwrap_or_else(|_| self.own(None))
    }

    /// The thread's queue on the CPU of the host; `None` if it is not visible.
    fn host(&self) -> Option<Result<Route, RuntimeError>> {
        let place = place::host(self.runtime)?;
        let kept = THREAD.try_with(|thread| match &mut thread.borrow_mut().host {
            Some(route) => Ok(route.clone()),
            empty => self.route(place.clone()).map(|route| empty.insert(route).clone()),
        });
        Some(kept.unwrap_or_else(|_| self.route(place)))
    }

    /// The number of work-items that share a part of a range on the thread's device.
    pub(crate) fn group_size(&self) -> Result<u32, RuntimeError> {
        self.chosen().map(|route| route.group)
    }

    /// True if kernels for groups of that size can require sub-groups of `size` work-items.
    pub(crate) fn has_sub_groups(&self, size: u32) -> Result<bool, RuntimeError> {
        Ok(self.chosen()?.queue.device().info().sub_group_sizes.contains(&u64::from(size)))
    }

    /// Chooses the device of this thread; `None` for the usual one.
    pub(crate) fn choose(&self, device: Option<u32>) -> Result<(), RuntimeError> {
        let route = self.own(device)?;
        self.settle()?;
        let _ = THREAD.try_with(|thread| {
            let thread = &mut *thread.borrow_mut();
            (thread.device, thread.own) = (device, Some(route));
        });
        Ok(())
    }

    /// Waits for the kernels that the thread has started on its device.
    fn settle(&self) -> Result<(), RuntimeError> {
        let started = THREAD.try_with(|thread| {
            let thread = &mut *thread.borrow_mut();
            thread.started.take().zip(thread.own.clone())
        });
        let Ok(Some((ticket, route))) = started else { return Ok(()) };
        route.queue.wait(ticket)
    }

    /// Starts a kernel. With `waits` it is complete at the end, and so are those that were started
    /// before. They are complete after an error too. A child made by `fork` gets queues of its own.
    pub(crate) fn run(&self, launch: &dyn Submit, waits: bool) -> Result<(), RuntimeError> {
        let result = match self.run_once(launch, waits) {
            Err(error) if is_inherited(&error) => {
                forget_queues();
                self.run_once(launch, waits)
            }
            result => result,
        };
        if result.is_err() {
            // The first error is the one to report.
            let _ = self.settle();
        }
        result
    }

    fn run_once(&self, launch: &dyn Submit, waits: bool) -> Result<(), RuntimeError> {
        let route = match self.chosen() {
            Ok(route) => route,
            // A process that was forked may use the host, and no other device of its parent.
            Err(error) if is_forked(&error) => return self.run_instead(launch, &error).unwrap_or(Err(error)),
            Err(error) => return Err(error),
        };
        if let Some(obstacle) = self.obstacle(launch, &route)? {
            let refused = || RuntimeError::Unsupported {
                device: route.queue.device().info().name.clone(),
                feature: format!("this launch: {obstacle}"),
            };
            return self.run_instead(launch, &obstacle).unwrap_or_else(|| Err(refused()));
        }
        match launch.start(&route.queue) {
            Ok(ticket) => {
                COUNTS.chosen.fetch_add(1, Ordering::Relaxed);
                keep(ticket, &route, waits)
            }
            Err(error) if has_no_code(&error) || is_forked(&error) => {
                self.run_instead(launch, &error).unwrap_or(Err(error))
            }
            Err(error) => Err(error),
        }
    }

    /// The reason for which the launch cannot run there.
    fn obstacle(&self, launch: &dyn Submit, route: &Route) -> Result<Option<Obstacle>, RuntimeError> {
        if route.reach == Reach::All {
            return Ok(None);
        }
        match launch.leads(&route.queue) {
            Ok(leads) => {
                let device = route.queue.device();
                let is_piece = |start| with_pieces(|pieces| pieces.contains(&start));
                Ok(obstacle::find(&leads, launch.block(), device, self.options.trusts_pointers, &is_piece))
            }
            // The launch itself meets the same error.
            Err(error) if has_no_code(&error) || is_forked(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs a launch on the CPU of the host, to its end; `None` if there is none.
    fn run_instead(&self, launch: &dyn Submit, why: &dyn std::fmt::Display) -> Option<Result<(), RuntimeError>> {
        let route = match self.host()? {
            Ok(route) => route,
            Err(error) => return Some(Err(error)),
        };
        // It may need what an earlier kernel makes on the device.
        if let Err(error) = self.settle() {
            return Some(Err(error));
        }
        report_once(&format!("`{}` runs on the CPU: {why}", launch.name()));
        COUNTS.instead.fetch_add(1, Ordering::Relaxed);
        Some(launch.start(&route.queue).and_then(|ticket| route.queue.wait(ticket)))
    }

    /// Memory for intermediate results that kernels of the thread's device use, and those of the
    /// CPU. `is_result`: the program reads it, and kernels seldom do.
    pub(crate) fn scratch(&self, size: usize, is_result: bool) -> Result<*mut c_void, RuntimeError> {
        let route = self.chosen()?;
        let kind = if is_result { MemoryKind::Host } else { MemoryKind::Shared };
        scratch::allocate(route.queue.device_handle(), kind, size)
    }

    /// Takes such memory back.
    pub(crate) fn release_scratch(&self, memory: *mut c_void) -> Result<(), RuntimeError> {
        // Kernels are still running only if one that should have followed them was not started.
        let settled = self.settle();
        scratch::release(memory);
        settled
    }

    /// Memory for the allocations of the program, which the kernels of the usual device reach.
    /// `None` if they reach all memory.
    pub(crate) fn memory(&self, size: usize, alignment: usize) -> Result<Option<*mut c_void>, RuntimeError> {
        let Place { device, reach } = place::usual(self.runtime, self.options)?;
        match reach {
            Reach::All => Ok(None),
            Reach::Shared => {
                let alignment = if alignment == 0 { DEFAULT_ALIGNMENT } else { alignment };
                let memory = device.allocate(MemoryKind::Shared, size, alignment)?;
                with_pieces(|pieces| pieces.insert(memory.addr()));
                Ok(Some(memory))
            }
        }
    }
}

/// On a CPU a work-item goes through a part alone: one after another it finds the next elements in
/// the cache. On other devices those of a group read neighbouring elements at a time.
fn usual_group(device: &DeviceEntry) -> u32 {
    let fits = u64::from(GROUP) <= device.limits.group;
    if device.info().kind == DeviceKind::Cpu || !fits { 1 } else { GROUP }
}

/// Remembers that a kernel was started on the thread's device, or waits for it.
fn keep(ticket: Ticket, route: &Route, waits: bool) -> Result<(), RuntimeError> {
    let is_kept = THREAD.try_with(|thread| thread.borrow_mut().started = (!waits).then_some(ticket));
    if waits || is_kept.is_err() { route.queue.wait(ticket) } else { Ok(()) }
}

/// Forgets the queues of the parent process: their threads do not exist here.
fn forget_queues() {
    let inherited = THREAD.try_with(|thread| {
        let thread = &mut *thread.borrow_mut();
        (thread.started.take(), thread.own.take(), thread.host.take())
    });
    std::mem::forget(inherited);
}

fn is_inherited(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(error) if matches!(**error, DriverError::Inherited { .. }))
}

fn is_forked(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::Driver(error) if matches!(**error, DriverError::Forked { .. }))
}

/// True if the kernel has no code for the device, so that it has not started.
fn has_no_code(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Translate(error) => !matches!(
            error.cause,
            TranslateCause::Unavailable { .. } | TranslateCause::Poisoned { .. } | TranslateCause::OutOfMemory
        ),
        RuntimeError::Assemble { .. } | RuntimeError::Requires { .. } | RuntimeError::LocalMemory { .. } => true,
        _ => false,
    }
}

fn report_once(text: &str) {
    // The lock may be held for ever in a child of a process with several threads.
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if reported.get_or_insert_default().insert(text.to_owned()) {
        tracing::info!("a parallel algorithm {text}");
    }
}

/// Logs why an algorithm runs without a device, unless it was logged before.
pub(crate) fn report(reason: &str) {
    report_once(&format!("runs on the host without a device: {reason}"));
}
