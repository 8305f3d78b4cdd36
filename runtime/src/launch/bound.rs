//! A loaded kernel, ready for the launches of one descriptor.
//!
//! In: a loaded kernel, a descriptor and a shape class; later argument blocks. Out: commands on
//! queues. *Invariant:* all checks that do not need the sizes of a launch are done at construction.
//! A launch checks only the size of its block and its local memory.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

use super::{pack::PackPlan, require, shape::OPEN};
use crate::{
    code::{LoadedKernel, variant::ShapeClass},
    devices::DeviceEntry,
    error::RuntimeError,
    queue::Queue,
    registry::descriptor::Descriptor,
    statistics::{Statistics, VariantRecord, count},
};
use sinter_core::{Argument, EntryInfo, LaunchShape};
use sinter_driver::{Kernel, Ticket};
use std::sync::Arc;

/// The memory that a kernel's code reaches through its arguments.
#[derive(Debug)]
pub(crate) struct Leads {
    /// True if it may access memory through anything but its pointer arguments.
    pub(crate) follows: bool,
    /// True if a work-item may wait for another one.
    pub(crate) may_wait: bool,
    /// Offsets in the argument block of the pointers that it uses.
    pub(crate) pointers: Box<[usize]>,
}

impl Leads {
    fn of(entry: &EntryInfo, descriptor: &Descriptor<'_>) -> Self {
        let record = |argument: &Argument| descriptor.parameters.get(argument.parameter as usize);
        let pointers = entry.arguments.iter().filter(|argument| argument.is_pointer).filter_map(record);
        let pointers = pointers.map(|record| record.byte_offset as usize).collect();
        Leads { follows: entry.follows_pointers, may_wait: entry.may_wait, pointers }
    }
}

/// A loaded kernel with the plan that packs arguments from the blocks of one descriptor.
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
}

impl Bound {
    /// Binds a kernel to a descriptor and a shape class. `globals`: addresses of the device globals
    /// that its code uses.
    pub(super) fn new(
        loaded: LoadedKernel,
        descriptor: &Descriptor<'_>,
        class: &ShapeClass,
        device: &DeviceEntry,
        statistics: &Statistics,
        globals: &[usize],
    ) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports, .. } = loaded;
        let plan = PackPlan::new(descriptor, kernel.entry(), globals)?;
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
        Ok(Bound { kernel, plan, record, leads, chooses_group, is_flat, dynamic_limit, has_imports })
    }

    /// The same with other code of the kernel. An error if launches of both would differ.
    pub(super) fn with_code(&self, loaded: LoadedKernel, statistics: &Statistics) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports, .. } = loaded;
        let without_remarks = |entry: &EntryInfo| EntryInfo { remarks: Vec::new(), ..entry.clone() };
        if without_remarks(self.kernel.entry()) != without_remarks(kernel.entry()) {
            let message = format!("full code of `{}` takes other arguments than quick code", kernel.entry().symbol);
            return Err(RuntimeError::Internal { message });
        }
        let (plan, leads, record) = (self.plan.clone(), Arc::clone(&self.leads), statistics.record(record));
        let Bound { chooses_group, is_flat, dynamic_limit, .. } = *self;
        Ok(Bound { kernel, plan, record, leads, chooses_group, is_flat, dynamic_limit, has_imports })
    }

    /// True if the kernel is valid only for launches with the same pattern of allocations, or would
    /// be faster with another known pattern.
    pub(super) fn depends_on_allocations(&self) -> bool {
        self.kernel.entry().depends_on_allocations
    }

    /// Fills in a work-group size that the launch leaves open; the kernel or the device chooses it.
    #[inline]
    pub(super) fn closed(&self, device: &DeviceEntry, shape: &LaunchShape) -> LaunchShape {
        if shape.group != OPEN {
            return *shape;
        }
        let own = if self.chooses_group { self.kernel.choose_group_size(shape.global) } else { None };
        let group = own.unwrap_or_else(|| device.device.choose_group_size(shape.global));
        LaunchShape { group, ..*shape }
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
        count(&self.record.launches);
        Ok(ticket)
    }

    #[cold]
    fn too_much_local_memory(&self, shape: &LaunchShape, device: &DeviceEntry) -> RuntimeError {
        require::too_much_local_memory(&self.record.variant.kernel, self.kernel.entry().local_memory, shape, device)
    }
}

#[cold]
fn boxed(error: impl Into<RuntimeError>) -> Box<RuntimeError> {
    Box::new(error.into())
}
