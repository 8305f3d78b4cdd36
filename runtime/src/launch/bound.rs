//! A loaded kernel, ready for the launches of one descriptor.
//!
//! In: a loaded kernel, a descriptor and a shape class; later argument blocks. Out: commands on
//! queues. *Invariant:* all checks that do not need the sizes of a launch are done at construction.
//! A launch checks only the size of its block and its local memory.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

use super::{
    guard::Guard,
    pack::{PackPlan, Variables},
    require,
    shape::OPEN,
    specials::{Special, Specials},
    trial::{Timed, Trial},
    tuner::{Plan, Tunable, Tuner},
};
use crate::{
    abi,
    code::{LoadedKernel, variant::ShapeClass},
    devices::DeviceEntry,
    error::RuntimeError,
    queue::Queue,
    registry::descriptor::Descriptor,
    statistics::{Statistics, VariantRecord},
};
use sinter_core::{Argument, EntryInfo, Followed, LaunchShape};
use sinter_driver::{Kernel, Ticket};
use std::sync::{Arc, atomic::Ordering};

/// The memory that a kernel's code reaches through its arguments.
#[derive(Debug)]
pub(crate) struct Leads {
    /// The memory that it reaches otherwise.
    pub(crate) followed: Followed,
    /// True if a work-item may wait for another one.
    pub(crate) may_wait: bool,
    /// Offsets in the argument block of the pointers that it uses.
    pub(crate) pointers: Box<[usize]>,
    /// Offset in the argument block and size of each parameter that `followed` may name.
    pub(crate) parameters: Box<[(usize, usize)]>,
}

impl Leads {
    fn of(entry: &EntryInfo, descriptor: &Descriptor<'_>) -> Self {
        let record = |argument: &Argument| descriptor.parameters.get(argument.parameter as usize);
        let pointers = entry.arguments.iter().filter(|argument| argument.is_pointer).filter_map(record);
        let pointers = pointers.map(|record| record.byte_offset as usize).collect();
        let followed = entry.followed.clone();
        let parameters = match followed {
            Followed::Places(_) => {
                let place = |record: &abi::Parameter| (record.byte_offset as usize, record.byte_size as usize);
                descriptor.parameters.iter().map(place).collect()
            }
            Followed::Nothing | Followed::Anything => Box::default(),
        };
        Leads { followed, may_wait: entry.may_wait, pointers, parameters }
    }
}

/// A loaded kernel with the plan that packs arguments from the blocks of one descriptor.
#[derive(Clone)]
pub(super) struct Bound {
    pub(super) kernel: Arc<dyn Kernel>,
    plan: PackPlan,
    pub(super) record: Arc<VariantRecord>,
    pub(super) leads: Arc<Leads>,
    /// True if the kernel chooses work-group sizes that launches leave open; otherwise the device
    /// does.
    chooses_group: bool,
    /// True if the device runs its work-groups as rows along x.
    is_flat: bool,
    /// Maximum dynamic local memory of a launch in bytes. Negative if the kernel declares more than
    /// the device has.
    dynamic_limit: i64,
    /// True if the kernel contains functions of other containers.
    pub(super) has_imports: bool,
    /// Code for values that launches repeat, if they are observed.
    specials: Option<Specials<Bound>>,
    /// Chooses work-group sizes that launches leave open, if they are measured.
    tuner: Option<Arc<Tuner<Bound>>>,
}

impl Bound {
    /// Binds a kernel to a descriptor and a shape class. `variables`: those of the device that its
    /// code uses.
    pub(super) fn new(
        loaded: LoadedKernel,
        descriptor: &Descriptor<'_>,
        class: &ShapeClass,
        device: &DeviceEntry,
        statistics: &Statistics,
        variables: &Variables,
    ) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports, .. } = loaded;
        let plan = PackPlan::new(descriptor, kernel.entry(), variables)?;
        let limit = i64::try_from(device.limits.local_memory).unwrap_or(i64::MAX);
        let dynamic_limit = limit - i64::from(kernel.entry().local_memory);
        // A kernel chooses a size either for every range or for none, so one range is enough to
        // ask.
        let chooses_group = class.group_size().is_none()
            && sinter_signals::with_signals_restored(|| kernel.choose_group_size([1; 3])).is_some();
        let record = statistics.record(record);
        let leads = Arc::new(Leads::of(kernel.entry(), descriptor));
        let sub_group = descriptor.requirements.required_sub_group_size;
        let is_flat = device.target().flat_group(class.group_size(), (sub_group != 0).then_some(sub_group)).is_some();
        let (specials, tuner) = (None, None);
        Ok(Bound { kernel, plan, record, leads, chooses_group, is_flat, dynamic_limit, has_imports, specials, tuner })
    }

    /// The same with work-group sizes that are measured.
    pub(super) fn tuned(self, tuner: Option<Tuner<Bound>>) -> Self {
        Bound { tuner: tuner.map(Arc::new), ..self }
    }

    /// The same with other code of the kernel. An error if launches of both would differ.
    pub(super) fn with_code(&self, loaded: LoadedKernel, statistics: &Statistics) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports, .. } = loaded;
        if !self.kernel.entry().takes_same_launches(kernel.entry()) {
            let message = format!("full code of `{}` takes other arguments than quick code", kernel.entry().symbol);
            return Err(RuntimeError::Internal { message });
        }
        let (record, tuner) = (statistics.record(record), self.tuner.as_ref().map(|tuner| Arc::new(tuner.anew())));
        Ok(Bound { kernel, record, has_imports, tuner, ..self.clone() })
    }

    /// This code with the code for values of another of the same kernel.
    pub(super) fn in_place_of(&self, other: &Bound) -> Self {
        let again = |specials: &Specials<Bound>| specials.tried_again(|special| self.trial(special));
        Bound { specials: other.specials.as_ref().map(again), ..self.clone() }
    }

    /// A comparison of code for values with this code, if the driver times kernels. Quick code is
    /// compared with no full code.
    pub(super) fn trial(&self, special: &Bound) -> Option<Trial<Bound>> {
        if special.record.level != self.record.level {
            return None;
        }
        let verdict = Arc::clone(&special.record.verdict);
        Some(Trial::new(special.timed()?, self.timed()?, verdict))
    }

    /// The same with its launches observed.
    pub(super) fn observed(self, specials: Specials<Bound>) -> Self {
        Bound { specials: Some(specials), ..self }
    }

    /// True if launches pass variables of the device by value.
    pub(super) fn has_constants(&self) -> bool {
        !self.kernel.entry().constants.is_empty()
    }

    /// The names of the device globals that the code uses.
    pub(super) fn device_globals(&self) -> &[String] {
        &self.kernel.entry().device_globals
    }

    /// Code for the values of a guard in the place of this. `variables` are those of the device
    /// that it uses. An error if it is not valid for the same launches.
    pub(super) fn special(
        &self,
        loaded: LoadedKernel,
        records: &Descriptor<'_>,
        variables: &Variables,
        statistics: &Statistics,
    ) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports, .. } = loaded;
        let (general, own) = (self.kernel.entry(), kernel.entry());
        if own.local_memory > general.local_memory || own.takes_local_memory != general.takes_local_memory {
            let message = format!("code of `{}` for values needs other local memory", own.symbol);
            return Err(RuntimeError::Internal { message });
        }
        let plan = PackPlan::new(records, own, variables)?;
        let (record, specials) = (statistics.record(record), None);
        Ok(Bound { kernel, plan, record, has_imports, specials, ..self.clone() })
    }

    /// True if there is code for the values of a guard, or was some that did not gain.
    pub(super) fn knows_special(&self, guard: &Guard) -> bool {
        self.specials.as_ref().is_some_and(|specials| specials.knows(guard))
    }

    /// The same with further code for values.
    pub(super) fn with_special(&self, special: &Arc<Special<Bound>>, most: usize) -> Self {
        let launches = |bound: &Bound| bound.record.launches.load(Ordering::Relaxed);
        let specials = self.specials.as_ref().map(|specials| specials.with(special, most, launches));
        Bound { specials, ..self.clone() }
    }

    /// The same without code for values that does not gain.
    pub(super) fn without_special(&self, guard: &Guard) -> Self {
        Bound { specials: self.specials.as_ref().map(|specials| specials.without(guard)), ..self.clone() }
    }

    /// True if the kernel is valid only for launches with the same pattern of allocations, or would
    /// be faster with another known pattern.
    pub(super) fn depends_on_allocations(&self) -> bool {
        self.kernel.entry().depends_on_allocations
    }

    /// The usual work-group size of a launch that leaves it open; the kernel or the device chooses
    /// it.
    #[inline]
    fn usual_group(&self, device: &DeviceEntry, global: [u64; 3]) -> [u32; 3] {
        let own = if self.chooses_group { self.kernel.choose_group_size(global) } else { None };
        own.unwrap_or_else(|| device.device.choose_group_size(global))
    }

    /// Submits the kernel. Fills in a work-group size that the launch leaves open; the shape is
    /// returned if later launches of the same size have it too.
    ///
    /// # Safety
    /// As for [`Bound::submit`].
    #[inline]
    pub(super) unsafe fn submit_anew(
        &self,
        queue: &Queue,
        block: &[u8],
        shape: &LaunchShape,
    ) -> Result<(Ticket, Option<LaunchShape>), Box<RuntimeError>> {
        let in_groups = |group| LaunchShape { group, ..*shape };
        let settled = |shape: LaunchShape| {
            // SAFETY: the same contract, upheld by the caller.
            Ok((unsafe { self.submit(queue, block, &shape) }?, Some(shape)))
        };
        if shape.group != OPEN {
            return settled(*shape);
        }
        let usual = self.usual_group(queue.device(), shape.global);
        let Some(tuner) = &self.tuner else { return settled(in_groups(usual)) };
        tuner.plan(self, shape.global, usual, |plan| match plan {
            Plan::Settled(group) => settled(in_groups(group)),
            // SAFETY: the same contract, upheld by the caller.
            Plan::Usual(group) => Ok((unsafe { self.submit(queue, block, &in_groups(group)) }?, None)),
            // SAFETY: the same contract, upheld by the caller.
            Plan::Tries(code, group) => Ok((unsafe { code.submit(queue, block, &in_groups(group)) }?, None)),
        })
    }

    /// Submits the kernel. Errors are boxed, because the result is copied on return on success too.
    ///
    /// # Safety
    /// Every pointer in `block` that the kernel dereferences is valid on the queue's device until
    /// the returned ticket is complete.
    #[inline]
    pub(super) unsafe fn submit(
        &self,
        queue: &Queue,
        block: &[u8],
        shape: &LaunchShape,
    ) -> Result<Ticket, Box<RuntimeError>> {
        if block.len() != self.plan.block_size() {
            return Err(boxed(require::wrong_block(&self.record.variant.kernel, self.plan.block_size(), block.len())));
        }
        if let Some(special) = self.specials.as_ref().and_then(|specials| specials.find(block)) {
            // SAFETY: the same contract, upheld by the caller.
            return unsafe { special.submit_special(queue, block, shape) };
        }
        // SAFETY: the same contract, upheld by the caller.
        let (ticket, earlier) = unsafe { self.submit_own(queue, block, shape) }?;
        if let Some(specials) = &self.specials {
            specials.note(earlier, block);
        }
        Ok(ticket)
    }

    /// Submits code for the values of a launch. Kernels that choose work-group sizes choose them
    /// for their own code, unless they were measured.
    ///
    /// # Safety
    /// As for [`Bound::submit`], with a block of the right size.
    unsafe fn submit_special(
        &self,
        queue: &Queue,
        block: &[u8],
        shape: &LaunchShape,
    ) -> Result<Ticket, Box<RuntimeError>> {
        let is_free = self.chooses_group && self.tuner.is_none();
        let own = if is_free { self.kernel.choose_group_size(shape.global) } else { None };
        let shape = LaunchShape { group: own.unwrap_or(shape.group), ..*shape };
        // SAFETY: the same contract, upheld by the caller.
        Ok(unsafe { self.submit_own(queue, block, &shape) }?.0)
    }

    /// Submits this code. Returns the number of its earlier launches as well.
    ///
    /// # Safety
    /// As for [`Bound::submit`], with a block of the right size.
    #[inline]
    unsafe fn submit_own(
        &self,
        queue: &Queue,
        block: &[u8],
        shape: &LaunchShape,
    ) -> Result<(Ticket, u64), Box<RuntimeError>> {
        if i64::from(shape.local_memory) > self.dynamic_limit {
            return Err(boxed(self.too_much_local_memory(shape, queue.device())));
        }
        let flat = if self.is_flat { Some(shape.flat()) } else { None };
        let shape = flat.as_ref().unwrap_or(shape);
        let launch = |arguments: &[u8]| {
            // SAFETY: the plan was made from this kernel's entry; the pointers are the caller's
            // promise.
            unsafe { queue.driver_queue().launch(&self.kernel, shape, arguments) }
        };
        let submitted = match self.plan.in_place(block) {
            Some(arguments) => launch(arguments),
            None => self.plan.with_copy(block, launch),
        };
        let ticket = submitted.map_err(boxed)?;
        Ok((ticket, self.record.launches.fetch_add(1, Ordering::Relaxed)))
    }

    #[cold]
    fn too_much_local_memory(&self, shape: &LaunchShape, device: &DeviceEntry) -> RuntimeError {
        require::too_much_local_memory(&self.record.variant.kernel, self.kernel.entry().local_memory, shape, device)
    }
}

impl Tunable for Bound {
    fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    fn record(&self) -> &VariantRecord {
        &self.record
    }

    fn timed(&self) -> Option<Timed<Bound>> {
        let meter = Arc::default();
        let kernel = self.kernel.metered(&meter)?;
        Some(Timed { code: Bound { kernel, specials: None, tuner: None, ..self.clone() }, meter })
    }
}

#[cold]
fn boxed(error: impl Into<RuntimeError>) -> Box<RuntimeError> {
    Box::new(error.into())
}
