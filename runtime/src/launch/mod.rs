//! Takes a launch from the program to the driver's queue.
//!
//! A hit costs: check the shape, find the kernel among this thread's recent ones, copy the live
//! arguments, submit. A miss goes `plan` -> `obtain` -> `load`. *Invariant:* up to the driver's
//! queue, which may lock to order its commands, a launch of one of the thread's recent kernels
//! takes no lock, allocates nothing for up to 512 bytes of arguments and touches one counter. What
//! a kernel requires is checked on the miss, because launches that differ in it have different
//! keys. A kernel that is specialised on arguments is looked up twice: first what it depends on,
//! then the variant for the values. So is one whose code depends on whether its pointers lead to
//! different allocations, which reads the device's table of them. A kernel that other threads used
//! is found under the read lock of one shard of the shared table.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

mod allocations;
mod loaded;
pub(crate) mod pack;
mod require;
pub mod shape;
pub(crate) mod table;
pub mod values;

pub(crate) use table::{HotTable, note_destructors};

use crate::registry::descriptor::{self, Descriptor};
use crate::{
    abi, code::single_flight::SingleFlight, code::variant::ShapeClass, devices::DeviceEntry, error::RuntimeError,
    queue::Queue, runtime::Runtime, statistics::count,
};
use allocations::{Pattern, Pointers};
use shape::{BadShape, LaunchSize, OPEN, Resolved};
use sinter_core::LaunchShape;
use sinter_driver::{Memory, Ticket};
use std::sync::Arc;
use table::{Bound, Entry, HotKey};
use values::{Constant, Digest, Leaves};

/// Launches that are looking for their kernel.
pub(crate) type Preparing = SingleFlight<HotKey, Result<Arc<Entry>, RuntimeError>>;

/// A launch whose shape is known.
struct Call<'a> {
    queue: &'a Queue,
    kernel: *const abi::Kernel,
    block: &'a [u8],
    shape: &'a LaunchShape,
    constants: &'a [Constant<'a>],
    /// The kernel may be compiled for the allocations that its pointers lead to.
    separates: bool,
}

/// The values that a launch is known to depend on.
#[derive(Clone, Copy)]
struct Known<'l> {
    leaves: &'l Leaves,
    pattern: Pattern,
}

/// What became of a launch that failed in nothing.
enum Outcome {
    /// It was submitted, in this shape.
    Ran(Ticket, LaunchShape),
    /// It needs more to find its kernel.
    Lacks(Missing),
}

/// What a launch still needs to find its kernel.
enum Missing {
    /// This work-group size.
    Group([u32; 3]),
    /// The values of these arguments.
    Leaves(Arc<Leaves>),
}

impl Runtime {
    /// Submits a kernel with its argument block.
    ///
    /// # Safety
    /// `kernel` and everything it points to is a descriptor that stage 1 made, valid and unchanged until its container is
    /// unregistered. Every pointer in `block` that the kernel dereferences is valid on the queue's device until the
    /// returned ticket is complete.
    #[inline]
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Ticket, RuntimeError> {
        // SAFETY: passed on to the caller.
        unsafe { self.launch_with(queue, kernel, block, size, &[]) }
    }

    /// Submits a kernel with its argument block and values of constants. A constant that is not given has the value that
    /// the program initialises it with.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[inline]
    pub unsafe fn launch_with(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Ticket, RuntimeError> {
        if constants.is_empty() {
            // SAFETY: passed on to the caller.
            let repeat = |bound: &Bound, shape: &LaunchShape| unsafe { submit(bound, queue, block, shape) };
            if let Some(result) = self.hot.again(kernel, queue.device().index, size, repeat) {
                return result.map_err(|error| *error);
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { self.launch_anew(queue, kernel, block, size, constants) }
    }

    /// A launch that does not repeat the last one of a recent kernel.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[inline(never)]
    unsafe fn launch_anew(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Ticket, RuntimeError> {
        let shape = match shape::resolve(size, queue.device()) {
            Ok(Resolved::Nothing) => return Ok(queue.driver_queue().last()),
            Ok(Resolved::Shape(shape)) => shape,
            // SAFETY: passed on to the caller.
            Err(problem) => return Err(unsafe { misshapen(kernel, queue.device(), problem) }),
        };
        let key = HotKey::new(kernel, queue.device().index, ShapeClass::of(size, &shape), Digest::of(constants));
        let call = Call { queue, kernel, block, shape: &shape, constants, separates: true };
        // SAFETY: passed on to the caller.
        match unsafe { self.look_up(&call, key, None) }? {
            Outcome::Ran(ticket, shape) => {
                if constants.is_empty() {
                    self.hot.note(&key, *size, shape);
                }
                Ok(ticket)
            }
            // SAFETY: passed on to the caller.
            Outcome::Lacks(missing) => unsafe { self.complete(&call, key, size, missing) },
        }
    }

    /// A launch that lacks something.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[cold]
    unsafe fn complete(
        &self,
        call: &Call<'_>,
        key: HotKey,
        size: &LaunchSize,
        missing: Missing,
    ) -> Result<Ticket, RuntimeError> {
        match missing {
            Missing::Group(group) => {
                let size = LaunchSize { group: Some(group), ..*size };
                let device: &DeviceEntry = call.queue.device();
                if let Err(problem) = shape::resolve(&size, device) {
                    // SAFETY: the caller promises a valid descriptor.
                    let kernel = unsafe { descriptor::read(call.kernel) }?.symbol;
                    return Err(require::unsuitable(kernel, group, device, &problem));
                }
                // SAFETY: passed on to the caller.
                unsafe { self.launch_with(call.queue, call.kernel, call.block, &size, call.constants) }
            }
            // SAFETY: passed on to the caller.
            Missing::Leaves(leaves) => unsafe { self.launch_specialized(call, key, &leaves) },
        }
    }

    /// A launch of a kernel that is specialised on arguments.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[inline(never)]
    unsafe fn launch_specialized(&self, call: &Call<'_>, key: HotKey, leaves: &Leaves) -> Result<Ticket, RuntimeError> {
        if call.block.len() != leaves.block_size {
            // SAFETY: the caller promises a valid descriptor.
            let kernel = unsafe { descriptor::read(call.kernel) }?.symbol;
            return Err(wrong_block(kernel, leaves.block_size, call.block.len()));
        }
        let known = Known { leaves, pattern: leaves.pattern(call.block, call.memory()) };
        let values = key.with_values(leaves.digest(call.constants, call.block, known.pattern));
        // SAFETY: passed on to the caller.
        match unsafe { self.look_up(call, values, Some(known)) }? {
            Outcome::Ran(ticket, _) => Ok(ticket),
            Outcome::Lacks(Missing::Leaves(more)) if !leaves.has_pointers() => {
                // SAFETY: passed on to the caller.
                unsafe { self.launch_specialized(call, key, &more) }
            }
            Outcome::Lacks(_) => {
                Err(RuntimeError::Internal { message: "a kernel with values asked for more".to_owned() })
            }
        }
    }

    /// Submits the kernel of `key`, or says what is missing.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    #[inline]
    unsafe fn look_up(&self, call: &Call<'_>, key: HotKey, known: Option<Known<'_>>) -> Result<Outcome, RuntimeError> {
        // SAFETY: the caller promises a valid descriptor.
        let find = || unsafe { self.find(call, key, known) };
        self.hot.with(key, find, |entry| {
            let bound = match entry {
                Entry::Kernel(bound) => bound,
                Entry::Group(group) => return Ok(Outcome::Lacks(Missing::Group(*group))),
                Entry::Leaves(leaves) => return Ok(Outcome::Lacks(Missing::Leaves(Arc::clone(leaves)))),
            };
            let shape = bound.closed(call.queue.device(), call.shape);
            // SAFETY: the caller promises valid pointers.
            let ticket = unsafe { submit(bound, call.queue, call.block, &shape) }.map_err(|error| *error)?;
            Ok(Outcome::Ran(ticket, shape))
        })?
    }

    /// The entry of `key`, prepared once however many threads ask for it.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    unsafe fn find(&self, call: &Call<'_>, key: HotKey, known: Option<Known<'_>>) -> Result<Arc<Entry>, RuntimeError> {
        if let Some(entry) = self.hot.get(&key) {
            return Ok(entry);
        }
        self.preparing.run(&key, || {
            if let Some(entry) = self.hot.get(&key) {
                return Ok(entry);
            }
            let generation = self.hot.generation();
            // SAFETY: passed on to the caller.
            let descriptor = unsafe { descriptor::read(call.kernel) }?;
            self.add(call, &descriptor, key, known, generation)
        })
    }

    /// Makes the entry of `key` and adds it. A kernel whose code turns out to depend on allocations is
    /// added under its pattern, and `key` gets the pointers to look at.
    fn add(
        &self,
        call: &Call<'_>,
        kernel: &Descriptor<'_>,
        key: HotKey,
        known: Option<Known<'_>>,
        generation: u64,
    ) -> Result<Arc<Entry>, RuntimeError> {
        let insert = |key, entry| {
            let entry = Arc::new(entry);
            self.hot.insert(key, kernel.container, Arc::clone(&entry), generation);
            entry
        };
        let of_pointers = known.filter(|known| known.leaves.has_pointers());
        let pattern = of_pointers.map_or_else(|| self.pattern(call, kernel), |known| known.pattern);
        match self.entry(call, kernel, &key.class, known.map(|known| known.leaves), pattern)? {
            Entry::Kernel(bound) if bound.depends_on_allocations && of_pointers.is_none() => {
                let leaves = Leaves::with_pointers(kernel);
                let values = leaves.digest(call.constants, call.block, leaves.admit(pattern));
                insert(key.with_values(values), Entry::Kernel(bound));
                Ok(insert(key, Entry::Leaves(Arc::new(leaves))))
            }
            entry => Ok(insert(key, entry)),
        }
    }

    /// The pattern for the first translation of a kernel, which shows whether the code depends on it.
    fn pattern(&self, call: &Call<'_>, kernel: &Descriptor<'_>) -> Pattern {
        match call.separates && self.code.separate_allocations {
            true => Pointers::of(kernel).pattern(call.block, call.memory()),
            false => Pattern::default(),
        }
    }

    fn entry(
        &self,
        call: &Call<'_>,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        leaves: Option<&Leaves>,
        pattern: Pattern,
    ) -> Result<Entry, RuntimeError> {
        let device: &DeviceEntry = call.queue.device();
        if let Some(group) = require::group_size(kernel, class)? {
            return Ok(Entry::Group(group));
        }
        require::sub_group_size(kernel, device)?;
        if leaves.is_none()
            && let Some(leaves) = Leaves::of(kernel)
        {
            return Ok(Entry::Leaves(Arc::new(leaves)));
        }
        let allocations = Pointers::of(kernel).allocations(pattern);
        let specialization =
            values::specialization(call.constants, leaves.map(|leaves| (leaves, call.block)), allocations)?;
        let bound = self.prepare(device, kernel, class, specialization)?;
        count(&self.statistics.misses);
        Ok(Entry::Kernel(bound))
    }
}

impl Call<'_> {
    fn memory(&self) -> &dyn Memory {
        self.queue.device().device.memory()
    }
}

/// Names the kernel of a launch that cannot be run.
///
/// # Safety
/// As for [`Runtime::launch`].
#[cold]
unsafe fn misshapen(kernel: *const abi::Kernel, device: &DeviceEntry, problem: BadShape) -> RuntimeError {
    // SAFETY: the caller promises a valid descriptor.
    match unsafe { descriptor::read(kernel) } {
        Ok(kernel) => require::misshapen(kernel.symbol, device, problem),
        Err(error) => error,
    }
}

#[cold]
fn wrong_block(kernel: &str, expected: usize, given: usize) -> RuntimeError {
    RuntimeError::BlockSize { kernel: kernel.to_owned(), expected: expected as u64, given }
}

impl Bound {
    /// The shape with a work-group size, which kernel or device choose where it is open.
    #[inline]
    fn closed(&self, device: &DeviceEntry, shape: &LaunchShape) -> LaunchShape {
        if shape.group != OPEN {
            return *shape;
        }
        let own = if self.chooses_group { self.kernel.choose_group_size(shape.global) } else { None };
        let group = own.unwrap_or_else(|| device.device.choose_group_size(shape.global));
        LaunchShape { group, ..*shape }
    }
}

/// Boxed, because a result is copied on its way out, also where it is no error.
#[cold]
fn boxed(error: impl Into<RuntimeError>) -> Box<RuntimeError> {
    Box::new(error.into())
}

/// # Safety
/// As for [`Runtime::launch`].
#[inline]
unsafe fn submit(bound: &Bound, queue: &Queue, block: &[u8], shape: &LaunchShape) -> Result<Ticket, Box<RuntimeError>> {
    if block.len() != bound.plan.block_size() {
        return Err(boxed(wrong_block(&bound.record.kernel, bound.plan.block_size(), block.len())));
    }
    if i64::from(shape.local_memory) > bound.dynamic_limit {
        return Err(boxed(require::too_much_local_memory(bound, shape, queue.device())));
    }
    let launch = |arguments: &[u8]| {
        // SAFETY: the plan was made from this kernel's entry; the pointers are the caller's promise.
        unsafe { queue.driver_queue().launch(&bound.kernel, shape, arguments) }
    };
    let submitted = match bound.plan.in_place(block) {
        Some(arguments) => launch(arguments),
        None => bound.plan.with_copy(block, launch),
    };
    let ticket = submitted.map_err(boxed)?;
    count(&bound.record.launches);
    Ok(ticket)
}
