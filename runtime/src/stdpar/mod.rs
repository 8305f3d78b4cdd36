//! Where the parallel algorithms of ISO C++ run.
//!
//! In: launches of any thread. Out: the kernel on the device of that thread, or on the CPU of the
//! host if the device cannot reach what the kernel uses. *Invariant:* a queue is never used by two
//! threads or two processes, and a kernel never starts on a device that may not reach its memory.

mod followed;
mod obstacle;
mod place;
mod residence;
mod scratch;

use crate::{
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
    exit::{self, Moment, Purpose, Use},
    launch::Leads,
    queue::Queue,
    runtime::Runtime,
    settings::StdparOptions,
};
pub(crate) use followed::{FindBlock, set_finder};
use followed::{Found, Memory};
use obstacle::Obstacle;
use place::{Place, Reach};
pub(crate) use residence::note as note_block;
use sinter_core::{Followed, TranslateCause};
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

/// A queue for algorithms, the place where its kernels run, and the work-items that share a part of
/// a range.
#[derive(Clone)]
struct Route {
    queue: Queue,
    reach: Reach,
    progresses: bool,
    /// True if a vendor's library runs the kernels.
    is_foreign: bool,
    group: u32,
}

impl Route {
    /// True if the thread had better not go on without its kernels: on the CPU of the host it runs
    /// short ones itself, unless others are under way. LULESH took up to twice as long.
    fn waits_at_once(&self) -> bool {
        !self.is_foreign && self.reach == Reach::All
    }
}

/// The needs of a launch: `SINTER_STDPAR_*` of `sinter/stdpar.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Needs {
    /// Complete at the end, with the kernels that were started before.
    pub(crate) waits: bool,
    /// Work-items may wait for each other.
    pub(crate) progress: bool,
    /// Suits the device of the thread alone: rather than on the CPU of the host, it does not run.
    pub(crate) is_shaped: bool,
    /// Suits the CPU of the host, and runs there.
    pub(crate) on_cpu: bool,
    /// The thread waits later, where it must.
    pub(crate) settles: bool,
}

impl Needs {
    /// Reads the bits of a C caller.
    pub(crate) fn of_bits(bits: u32) -> Self {
        let has = |bit: u32| bits >> bit & 1 != 0;
        Needs { waits: has(0), progress: has(1), is_shaped: has(2), on_cpu: has(3), settles: has(4) }
    }
}

/// The fate of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Launched {
    /// It has started, or is complete.
    Started,
    /// It suits the device of the thread alone, and that cannot run it.
    Refused,
}

/// The state of a thread.
#[derive(Default)]
struct Thread {
    /// The device that the thread has chosen.
    device: Option<u32>,
    own: Option<Route>,
    host: Option<Route>,
    /// The last kernel on the own queue that no one has waited for.
    started: Option<(Ticket, Option<Use>)>,
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
    /// Waits for kernels, wherever they ran.
    pub(crate) waits: AtomicU64,
}

pub(crate) static COUNTS: Counts =
    Counts { chosen: AtomicU64::new(0), instead: AtomicU64::new(0), waits: AtomicU64::new(0) };

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
        if let Some(host) = place::host(self.runtime).filter(|_| exit::has_begun()) {
            return self.route(host);
        }
        self.route(match chosen {
            Some(index) => place::numbered(self.runtime, self.options, index),
            None => place::usual(self.runtime, self.options),
        }?)
    }

    fn route(&self, place: Place) -> Result<Route, RuntimeError> {
        let Place { device, reach, progresses } = place;
        self.runtime.expect_launches(&device);
        let (queue, is_foreign) = (Queue::new(&device)?, !place::is_host(&device));
        if is_foreign {
            exit::expect(Moment::Chosen);
        }
        let group = self.options.group_size.unwrap_or_else(|| usual_group(&device));
        Ok(Route { queue, reach, progresses, is_foreign, group })
    }

    /// The thread's queue on its device; one on the CPU of the host while the process exits.
    fn chosen(&self) -> Result<(Route, Option<Use>), RuntimeError> {
        let route = self.with_chosen(Route::clone)?;
        if !route.is_foreign {
            return Ok((route, None));
        }
        match Use::begin(Purpose::Launch) {
            Some(used) => Ok((route, Some(used))),
            None => self.host().unwrap_or(Ok(route)).map(|route| (route, None)),
        }
    }

    /// Calls `action` with that queue. A thread that is ending gets one for this call only.
    fn with_chosen<R>(&self, action: impl Fn(&Route) -> R) -> Result<R, RuntimeError> {
        let kept = THREAD.try_with(|thread| {
            let thread = &mut *thread.borrow_mut();
            let Thread { device, own, .. } = thread;
            match own {
                Some(route) => Ok(action(route)),
                empty => self.own(*device).map(|route| action(empty.insert(route))),
            }
        });
        kept.unwrap_or_else(|_| self.own(None).map(|route| action(&route)))
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
        self.with_chosen(|route| route.group)
    }

    /// True if the thread's device is a CPU.
    pub(crate) fn is_cpu(&self) -> Result<bool, RuntimeError> {
        self.with_chosen(|route| route.queue.device().info().kind == DeviceKind::Cpu)
    }

    /// True if kernels for groups of that size can require sub-groups of `size` work-items.
    pub(crate) fn has_sub_groups(&self, size: u32) -> Result<bool, RuntimeError> {
        self.with_chosen(|route| route.queue.device().info().sub_group_sizes.contains(&u64::from(size)))
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
    pub(crate) fn settle(&self) -> Result<(), RuntimeError> {
        let started = THREAD.try_with(|thread| {
            let thread = &mut *thread.borrow_mut();
            thread.started.take().zip(thread.own.clone())
        });
        let Ok(Some(((ticket, _used), route))) = started else { return Ok(()) };
        wait(&route, ticket)
    }

    /// Launches a kernel. Kernels that were started before are complete after an error, and after a
    /// refusal. A child made by `fork` gets queues of its own.
    pub(crate) fn run(&self, launch: &dyn Submit, needs: Needs) -> Result<Launched, RuntimeError> {
        let result = match self.run_once(launch, needs) {
            Err(error) if is_inherited(&error) => {
                forget_queues();
                self.run_once(launch, needs)
            }
            result => result,
        };
        if result.is_err() {
            // The first error is the one to report.
            let _ = self.settle();
        }
        result
    }

    fn run_once(&self, launch: &dyn Submit, needs: Needs) -> Result<Launched, RuntimeError> {
        if needs.on_cpu {
            return self.run_on_host(launch).unwrap_or_else(|| Err(no_host()));
        }
        let (route, used) = match self.chosen() {
            Ok(chosen) => chosen,
            // A process that was forked may use the host, and no other device of its parent.
            Err(error) if is_forked(&error) => return self.run_instead(launch, needs, &error).unwrap_or(Err(error)),
            Err(error) => return Err(error),
        };
        if used.is_none() && exit::has_begun() {
            return self.run_instead(launch, needs, &"the process exits").unwrap_or_else(|| Err(no_host()));
        }
        if let Some(obstacle) = self.obstacle(launch, &route, needs)? {
            let refused = || RuntimeError::Unsupported {
                device: route.queue.device().info().name.clone(),
                feature: format!("this launch: {obstacle}"),
            };
            return self.run_instead(launch, needs, &obstacle).unwrap_or_else(|| Err(refused()));
        }
        match launch.start(&route.queue) {
            Ok(ticket) => {
                COUNTS.chosen.fetch_add(1, Ordering::Relaxed);
                let waits = needs.waits || (needs.settles && route.waits_at_once());
                keep(ticket, &route, used, waits).map(|()| Launched::Started)
            }
            Err(error) if has_no_code(&error) || is_forked(&error) => {
                self.run_instead(launch, needs, &error).unwrap_or(Err(error))
            }
            Err(error) => Err(error),
        }
    }

    /// The reason for which the launch cannot run there.
    fn obstacle(&self, launch: &dyn Submit, route: &Route, needs: Needs) -> Result<Option<Obstacle>, RuntimeError> {
        let stands_still = needs.progress && !route.progresses;
        if route.reach == Reach::All && !stands_still {
            return Ok(None);
        }
        match launch.leads(&route.queue) {
            Ok(leads) if stands_still && leads.may_wait => Ok(Some(Obstacle::Waits)),
            Ok(_) if route.reach == Reach::All => Ok(None),
            Ok(leads) => self.unreached(&leads, launch.block(), &route.queue),
            // The launch itself meets the same error.
            Err(error) if has_no_code(&error) || is_forked(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The reason for which the device may not reach all memory that a launch uses. Without one,
    /// large blocks begin to move there.
    fn unreached(&self, leads: &Leads, block: &[u8], queue: &Queue) -> Result<Option<Obstacle>, RuntimeError> {
        if matches!(leads.followed, Followed::Places(_)) && !self.options.trusts_pointers {
            // Kernels that the thread has started may write the pointers; others' are complete, or
            // no right program would let this one follow them.
            self.settle()?;
        }
        let device = queue.device();
        let found = obstacle::arguments(leads, block).and_then(|arguments| {
            let followed = match &leads.followed {
                Followed::Nothing => Found::default(),
                _ if self.options.trusts_pointers => Found::default(),
                Followed::Anything => return Err(Obstacle::Follows),
                Followed::Places(places) => {
                    // No piece is given back while it is read.
                    with_pieces(|pieces| followed::find(places, leads, block, &Memory { device, pieces }))?
                }
            };
            let is_piece = |start| with_pieces(|pieces| pieces.contains(&start));
            match obstacle::find(&arguments, &followed.pointers, device, &is_piece) {
                Some(obstacle) => Err(obstacle),
                None => Ok((arguments, followed)),
            }
        });
        let prepare = |(arguments, followed): (Vec<usize>, Found)| {
            residence::share(&followed.blocks, queue);
            residence::prefetch(&[arguments, followed.pointers].concat(), queue);
        };
        Ok(found.map(prepare).err())
    }

    /// Runs a launch that the thread's device cannot run on the CPU of the host, to its end, or
    /// refuses it; `None` if there is no such CPU.
    fn run_instead(
        &self,
        launch: &dyn Submit,
        needs: Needs,
        why: &dyn std::fmt::Display,
    ) -> Option<Result<Launched, RuntimeError>> {
        place::host(self.runtime)?;
        report_once(&format!("`{}` runs on the CPU: {why}", launch.name()));
        // The CPU may need what an earlier kernel makes on the device.
        if needs.is_shaped { Some(self.settle().map(|()| Launched::Refused)) } else { self.run_on_host(launch) }
    }

    /// Runs a launch on the CPU of the host, to its end; `None` if there is none.
    fn run_on_host(&self, launch: &dyn Submit) -> Option<Result<Launched, RuntimeError>> {
        let run = |route: Route| {
            self.settle()?;
            COUNTS.instead.fetch_add(1, Ordering::Relaxed);
            let ticket = launch.start(&route.queue)?;
            wait(&route, ticket).map(|()| Launched::Started)
        };
        Some(self.host()?.and_then(run))
    }

    /// Memory for intermediate results that kernels of the thread's device use, and those of the
    /// CPU. `is_result`: the program reads it, and kernels seldom do.
    pub(crate) fn scratch(&self, size: usize, is_result: bool) -> Result<*mut c_void, RuntimeError> {
        let (route, _used) = self.chosen()?;
        let kind = if is_result { MemoryKind::Host } else { MemoryKind::Shared };
        let found = scratch::allocate(route.queue.device_handle(), kind, size);
        // In a child made by `fork` the launch meets the same error, and goes to the CPU of the
        // host.
        let host = place::host(self.runtime).filter(|_| found.as_ref().is_err_and(is_forked));
        host.map_or(found, |host| scratch::allocate(&host.device, kind, size))
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
        let Place { device, reach, .. } = place::usual(self.runtime, self.options)?;
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

/// Waits for a kernel, and those before it.
fn wait(route: &Route, ticket: Ticket) -> Result<(), RuntimeError> {
    COUNTS.waits.fetch_add(1, Ordering::Relaxed);
    route.queue.wait(ticket)?;
    if route.is_foreign {
        exit::expect(Moment::Complete);
    }
    Ok(())
}

/// Remembers that a kernel was started on the thread's device, or waits for it.
fn keep(ticket: Ticket, route: &Route, used: Option<Use>, waits: bool) -> Result<(), RuntimeError> {
    if waits {
        wait(route, ticket)?;
        let _ = THREAD.try_with(|thread| thread.borrow_mut().started.take());
        return Ok(());
    }
    let is_kept = THREAD.try_with(|thread| thread.borrow_mut().started = Some((ticket, used)));
    if is_kept.is_err() { wait(route, ticket) } else { Ok(()) }
}

/// Forgets the queues of the parent process: their threads do not exist here.
fn forget_queues() {
    let inherited = THREAD.try_with(|thread| {
        let thread = &mut *thread.borrow_mut();
        (thread.started.take(), thread.own.take(), thread.host.take())
    });
    std::mem::forget(inherited);
}

fn no_host() -> RuntimeError {
    RuntimeError::Unsupported {
        device: "the CPU of the host".to_owned(),
        feature: "parallel algorithms: its driver is missing".to_owned(),
    }
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
