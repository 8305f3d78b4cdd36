//! Takes a launch from the program to the driver's queue.
//!
//! A hit costs: check the shape, find the kernel among this thread's recent ones, copy the live
//! arguments, submit. A miss asks `Kernels` for the kernel. *Invariant:* up to the driver's
//! queue, which may lock to order its commands, a launch of a recent kernel of the thread takes no
//! lock, allocates nothing for up to 512 bytes of arguments and updates one counter. Requirements
//! of the kernel are checked on the miss, because launches with different requirements have
//! different keys.
//!
//! An entry of the table is a kernel or a question. A kernel that is specialised on arguments asks
//! for their values; one whose code depends on allocations asks if its pointers point to different
//! ones. The launch answers and looks up again (`search`). A kernel that other threads have used is
//! found under the read lock of one shard of the shared table.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

mod ahead;
mod allocations;
mod bound;
mod contest;
mod guard;
mod leaf;
mod pack;
mod require;
mod search;
pub mod shape;
mod specialize;
mod specials;
mod table;
mod tell;
mod trial;
mod tuner;
mod unassembled;
mod upgrade;
pub mod values;
mod watch;

pub(crate) use bound::Leads;
pub(crate) use table::note_destructors;
pub use tuner::TuningOptions;

use crate::{
    abi,
    background::{Background, Job},
    code::{Kernels, Upgrade, Wanted, tiers::ChosenMode, variant},
    compilations::{Compilations, News, is_telling},
    device_globals::constants::Knowledge,
    devices::DeviceEntry,
    error::{RequiredBy, RuntimeError},
    forks,
    queue::Queue,
    registry::descriptor::Descriptor,
    statistics::{Source, Statistics, Variant, count},
};
use bound::Bound;
use pack::Variables;
use search::{Launch, Search, asks_again};
use shape::LaunchSize;
use sinter_core::{EntryInfo, KernelConfig, LaunchShape};
use sinter_driver::{Kernel, Ticket};
use std::{
    cell::Cell,
    sync::{Arc, Weak},
};
use table::{Entry, HotKey, HotTable, Question};
use tuner::{Tuner, Tuning};
use unassembled::Unassembled;
use values::{Constant, Leaves};

/// Maximum number of questions to one launch.
const MOST_QUESTIONS: usize = 3;

/// A kernel for the table.
struct Built {
    bound: Bound,
    /// Full code to follow.
    upgrade: Option<Upgrade>,
    config: KernelConfig,
    /// Variables of the device that the code uses.
    variables: Variables,
}

/// Launches kernels and keeps them loaded.
pub(crate) struct Launcher {
    kernels: Kernels,
    table: HotTable,
    separate_allocations: bool,
    /// Maximum number of variants of a kernel for values that launches repeat.
    specials: usize,
    tuning: Arc<Tuning>,
    statistics: Arc<Statistics>,
    compilations: Arc<Compilations>,
    background: Background,
    /// Kernels that wait for the assembler of each device.
    unassembled: Unassembled,
    /// Work in the background refers to the launcher by this, so that it does not keep it alive.
    own: Weak<Launcher>,
}

/// Has choices kept that were measured.
fn keeping(own: &Weak<Launcher>) -> Box<dyn Fn() + Send + Sync> {
    let own = Weak::clone(own);
    Box::new(move || {
        if let Some(launcher) = own.upgrade() {
            forks::between_forks(|| launcher.keep_choices());
        }
    })
}

/// An error in a function that is told of a compilation, because other launches may wait for it.
fn expect_no_call() -> Result<(), RuntimeError> {
    if !is_telling() {
        return Ok(());
    }
    let reason = "comes from a function that is told of a compilation, and needs code; launch after it has returned";
    Err(RuntimeError::invalid("launch", reason))
}

impl Launcher {
    /// `constants`: those of the runtime. `separate_allocations`: kernels may be compiled for
    /// pointers to different allocations. `specials`: variants of a kernel for values that launches
    /// repeat, at most. `tuning`: the choice of work-group sizes.
    pub(crate) fn new(
        kernels: Kernels,
        constants: Arc<Knowledge>,
        separate_allocations: bool,
        specials: usize,
        tuning: TuningOptions,
        statistics: &Arc<Statistics>,
    ) -> Arc<Self> {
        let launcher = Arc::new_cyclic(|own: &Weak<Launcher>| Launcher {
            tuning: Arc::new(Tuning::new(tuning, kernels.cache(), keeping(own))),
            kernels,
            table: HotTable::new(constants),
            separate_allocations,
            specials,
            statistics: Arc::clone(statistics),
            compilations: Arc::default(),
            background: Background::new(),
            unassembled: Unassembled::default(),
            own: Weak::clone(own),
        });
        launcher.await_assembly();
        launcher
    }

    /// Submits a kernel.
    ///
    /// # Safety
    /// As for [`crate::Runtime::launch_with`].
    #[inline]
    pub(crate) unsafe fn launch(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Ticket, RuntimeError> {
        if constants.is_empty() {
            // SAFETY: the same contract, upheld by the caller.
            let repeat = |bound: &Bound, shape: &LaunchShape| unsafe { bound.submit(queue, block, shape) };
            if let Some(result) = self.table.again(kernel, queue.place(), size, repeat) {
                return result.map_err(|error| *error);
            }
        }
        let launch = Launch { queue, kernel, block, constants, separates: self.separate_allocations };
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.launch_anew(launch, size) }
    }

    /// Makes the kernel of a launch ready, so that the launch translates nothing.
    ///
    /// # Safety
    /// As for [`Launcher::launch`].
    #[inline]
    pub(crate) unsafe fn prepare(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<(), RuntimeError> {
        if constants.is_empty() && self.table.again(kernel, queue.place(), size, |_, _| ()).is_some() {
            return Ok(());
        }
        let launch = Launch { queue, kernel, block, constants, separates: self.separate_allocations };
        // SAFETY: the same contract, upheld by the caller.
        match unsafe { Search::begin(launch, size) }? {
            // SAFETY: the same contract, upheld by the caller.
            Some(mut search) => unsafe { self.with_kernel(&mut search, |_, _| Ok(())) },
            None => Ok(()),
        }
    }

    /// Handles a launch that does not repeat the last launch of a recent kernel.
    ///
    /// # Safety
    /// As for [`Launcher::launch`].
    #[inline(never)]
    unsafe fn launch_anew(&self, launch: Launch<'_>, size: &LaunchSize) -> Result<Ticket, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        let Some(mut search) = (unsafe { Search::begin(launch, size) })? else {
            return Ok(launch.queue.driver_queue().last());
        };
        let submit = |bound: &Bound, shape: &LaunchShape| {
            // SAFETY: the caller promises valid pointers.
            unsafe { bound.submit_anew(launch.queue, launch.block, shape) }.map_err(|error| *error)
        };
        // SAFETY: the same contract, upheld by the caller.
        let (ticket, shape) = unsafe { self.with_kernel(&mut search, submit) }?;
        if let (Some(shape), true) = (shape, search.is_of_size_alone()) {
            self.table.note(&search.key, *size, shape);
        }
        Ok(ticket)
    }

    /// The kernel of a launch, loaded on the queue's device. It is valid for all pointers, because
    /// the caller may pass others to it. It is the kernel that [`Launcher::launch`] submits for the
    /// same arguments, unless the code depends on allocations.
    ///
    /// # Safety
    /// `kernel` is a descriptor as for [`Launcher::launch`].
    pub(crate) unsafe fn loaded_kernel(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Arc<dyn Kernel>, RuntimeError> {
        let launch = Launch { queue, kernel, block, constants, separates: false };
        // SAFETY: the same contract, upheld by the caller.
        let search = unsafe { Search::begin(launch, size) }?;
        let nothing = || RuntimeError::invalid("launch", "has no work-items, so that no kernel is chosen for it");
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.with_kernel(&mut search.ok_or_else(nothing)?, |bound, _| Ok(Arc::clone(&bound.kernel))) }
    }

    /// The reach of the kernel that [`Launcher::launch`] submits for the same arguments. Different
    /// allocations do not change it.
    ///
    /// # Safety
    /// `kernel` is a descriptor as for [`Launcher::launch`].
    pub(crate) unsafe fn leads(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Arc<Leads>, RuntimeError> {
        let launch = Launch { queue, kernel, block, constants: &[], separates: self.separate_allocations };
        // SAFETY: the same contract, upheld by the caller.
        let search = unsafe { Search::begin(launch, size) }?;
        let nothing = || RuntimeError::invalid("launch", "has no work-items, so that no kernel is chosen for it");
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.with_kernel(&mut search.ok_or_else(nothing)?, |bound, _| Ok(Arc::clone(&bound.leads))) }
    }

    /// Calls `action` with the kernel of a launch and the launch's shape.
    ///
    /// # Safety
    /// As for [`Launcher::launch`].
    #[inline]
    unsafe fn with_kernel<R>(
        &self,
        search: &mut Search<'_>,
        action: impl Fn(&Bound, &LaunchShape) -> Result<R, RuntimeError>,
    ) -> Result<R, RuntimeError> {
        // Dropped at the end, which tells the program, where no other launch waits for this one.
        let news = Cell::new(None);
        for _ in 0..=MOST_QUESTIONS {
            // SAFETY: the same contract, upheld by the caller.
            let make = |losses| unsafe { self.make(search, losses, &news) };
            let question = self.table.with(search.key, make, |entry| match entry {
                Entry::Kernel(bound) => Ok(action(bound, &search.shape)),
                Entry::Asks(question) => Err(question.clone()),
            });
            match question? {
                Ok(result) => return result,
                // SAFETY: the same contract, upheld by the caller.
                Err(question) => unsafe { search.answer(question) }?,
            }
        }
        Err(asks_again())
    }

    /// Makes the entry of a search and inserts it. A kernel whose code turns out to depend on
    /// allocations is inserted under its pattern; the entry of the plain key then asks each launch
    /// for its pattern.
    ///
    /// # Safety
    /// As for [`Launcher::launch`].
    unsafe fn make<'a>(
        &'a self,
        search: &Search<'_>,
        losses: u64,
        news: &Cell<Option<News<'a>>>,
    ) -> Result<Arc<Entry>, RuntimeError> {
        expect_no_call()?;
        // SAFETY: the same contract, upheld by the caller.
        let kernel = unsafe { search.launch.descriptor() }?;
        let insert = |key, entry| self.table.insert(key, kernel.container, entry, losses);
        if let Some(question) = self.question(search, &kernel)? {
            return Ok(insert(search.key, Entry::Asks(question)));
        }
        let pattern = search.pattern(&kernel);
        let Built { bound, upgrade, config, variables } = self.build(search, &kernel, pattern, news)?;
        let device = search.launch.queue.device_handle();
        let depends = bound.depends_on_allocations();
        let insert_kernel = |key| {
            let bound = self.observed(key, (bound, config), &kernel, device, &variables.addresses);
            let entry = insert(key, Entry::Kernel(bound));
            self.improve(key, &entry, kernel.container, device, upgrade);
            entry
        };
        if !(self.separate_allocations && depends) || search.has_pattern() {
            return Ok(insert_kernel(search.key));
        }
        let leaves = Leaves::with_pointers(&kernel);
        let values = leaves.digest(search.launch.constants, search.launch.block, leaves.admit(pattern));
        insert_kernel(search.key.with_values(values));
        Ok(insert(search.key, Entry::Asks(Question::Values(Arc::new(leaves)))))
    }

    /// Fact that is needed about a launch before its kernel can be built.
    fn question(&self, search: &Search<'_>, kernel: &Descriptor<'_>) -> Result<Option<Question>, RuntimeError> {
        if let Some(group) = require::group_size(kernel, &search.key.class)? {
            return Ok(Some(Question::GroupSize(group)));
        }
        require::aspects(kernel, search.launch.queue.device())?;
        require::sub_group_size(kernel, search.launch.queue.device())?;
        let leaves = if search.lacks_values() { Leaves::of(kernel) } else { None };
        Ok(leaves.map(|leaves| Question::Values(Arc::new(leaves))))
    }

    fn build<'a>(
        &'a self,
        search: &Search<'_>,
        kernel: &Descriptor<'_>,
        pattern: allocations::Pattern,
        news: &Cell<Option<News<'a>>>,
    ) -> Result<Built, RuntimeError> {
        let (device, class) = (search.launch.queue.device(), &search.key.class);
        let specialization = search.specialization(kernel, pattern)?;
        let variant = Variant {
            kernel: kernel.symbol.to_owned(),
            device: device.info().name.clone(),
            description: variant::describe(class, &specialization),
        };
        self.expect_others(kernel.container, search.launch.queue.device_handle());
        let mode = self.mode_of(&search.key);
        let wanted = Wanted { kernel, class, specialization, variant: variant.clone(), mode };
        let (loaded, told) = self.told_of_launch(device, &variant, || self.kernels.build(device, wanted));
        news.set(told);
        let mut loaded = loaded?;
        if loaded.record.source == Source::Translated {
            self.has_translated(kernel.container, search.launch.queue.device_handle());
        }
        let (upgrade, config) = (loaded.upgrade.take(), loaded.config.clone());
        let variables = self.variables(device, kernel, loaded.kernel.entry())?;
        let bound = Bound::new(loaded, kernel, class, device, &self.statistics, &variables)?;
        let tuner = if class.group_size().is_none() { Tuner::new(&self.tuning) } else { None };
        let bound = bound.tuned(tuner);
        count(&self.statistics.misses);
        Ok(Built { bound, upgrade, config, variables })
    }

    fn keep_choices(&self) {
        let tuning = Arc::clone(&self.tuning);
        let run = move |_| tuning.wisdom.save();
        self.background.submit(Job::for_values(0, run));
    }

    /// The mode of launches with a key.
    fn mode_of(&self, key: &HotKey) -> ChosenMode {
        match key.mode() {
            Some(mode) => ChosenMode { mode, by: RequiredBy::Queue },
            None => ChosenMode { mode: self.kernels.mode, by: RequiredBy::Setting },
        }
    }

    /// Functions that are told of compilations.
    pub(crate) fn compilations(&self) -> &Arc<Compilations> {
        &self.compilations
    }

    /// The variables of a device that the code of a kernel uses.
    fn variables(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        entry: &EntryInfo,
    ) -> Result<Variables, RuntimeError> {
        let unknown =
            |name: &String| RuntimeError::DeviceGlobal { kernel: kernel.symbol.to_owned(), variable: name.clone() };
        let object =
            |name: &String| self.kernels.registry().find_global(kernel.container, name).ok_or_else(|| unknown(name));
        let address = |name: &String| {
            // SAFETY: a registered table lists the object.
            unsafe { device.globals.address(&*device.device, &device.buffers, object(name)?) }
        };
        let constant = |name: &String| {
            // SAFETY: as above.
            let bytes = unsafe { device.globals.bytes(&*device.device, &device.buffers, object(name)?) }?;
            bytes.ok_or_else(|| unknown(name))
        };
        let addresses = entry.device_globals.iter().map(address).collect::<Result<_, _>>()?;
        Ok(Variables { addresses, constants: entry.constants.iter().map(constant).collect::<Result<_, _>>()? })
    }

    /// As [`crate::Runtime::lose_constants`].
    pub(crate) fn lose_constants(&self) {
        self.table.lose_constants();
    }

    /// Forgets the kernels of a container that is being unregistered. Submitted commands keep
    /// theirs alive.
    pub(crate) fn forget(&self, container: *const abi::Container) {
        self.background.cancel(container.addr());
        self.unassembled.forget(container.addr());
        self.table.forget(container);
        self.kernels.forget(container);
    }
}
