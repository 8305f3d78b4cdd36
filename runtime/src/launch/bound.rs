//! A loaded kernel, ready for the launches of one descriptor.
//!
//! In: a loaded kernel, a descriptor and a class of launches; later argument blocks. Out: commands on
//! queues. *Invariant:* all that can be checked without the sizes of a launch was checked when it was
//! made; a launch checks its block's size and its local memory.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

use super::{pack::PackPlan, require, shape::OPEN};
use crate::{
    code::{LoadedKernel, variant::ShapeClass},
    devices::DeviceEntry,
    error::RuntimeError,
    queue::Queue,
    registry::descriptor::Descriptor,
    statistics::{VariantRecord, count},
};
use sinter_core::LaunchShape;
use sinter_driver::{Kernel, Ticket};
use std::sync::Arc;

/// A loaded kernel and how to pass arguments to it from one descriptor's blocks.
pub(super) struct Bound {
    pub(super) kernel: Arc<dyn Kernel>,
    plan: PackPlan,
    record: Arc<VariantRecord>,
    /// The kernel knows a better work-group size than the device, for launches that leave it open.
    chooses_group: bool,
    /// Local memory in bytes that a launch may add to what the kernel declares; below 0 if that is too much already.
    dynamic_limit: i64,
    /// The kernel has functions of other containers.
    pub(super) has_imports: bool,
}

impl Bound {
    /// Binds a kernel to a descriptor, for a class of launches.
    pub(super) fn new(
        loaded: LoadedKernel,
        descriptor: &Descriptor<'_>,
        class: &ShapeClass,
        device: &DeviceEntry,
    ) -> Result<Self, RuntimeError> {
        let LoadedKernel { kernel, record, has_imports } = loaded;
        let plan = PackPlan::new(descriptor, kernel.entry())?;
        let limit = i64::try_from(device.limits.local_memory).unwrap_or(i64::MAX);
        let dynamic_limit = limit - i64::from(kernel.entry().local_memory);
        // A kernel that knows one for any range knows one for all.
        let chooses_group =
            class.group_size().is_none() && sinter_signals::aloud(|| kernel.choose_group_size([1; 3])).is_some();
        Ok(Bound { kernel, plan, record, chooses_group, dynamic_limit, has_imports })
    }

    /// True if the kernel is right only for launches whose pointers lead to allocations in the same
    /// pattern, or gains where another pattern is known.
    pub(super) fn depends_on_allocations(&self) -> bool {
        self.kernel.entry().depends_on_allocations
    }

    /// The shape with a work-group size, which kernel or device choose where it is open.
    #[inline]
    pub(super) fn closed(&self, device: &DeviceEntry, shape: &LaunchShape) -> LaunchShape {
        if shape.group != OPEN {
            return *shape;
        }
        let own = if self.chooses_group { self.kernel.choose_group_size(shape.global) } else { None };
        let group = own.unwrap_or_else(|| device.device.choose_group_size(shape.global));
        LaunchShape { group, ..*shape }
    }

    /// Submits the kernel. Errors are boxed, because a result is copied on its way out, also where it
    /// is no error.
    ///
    /// # Safety
    /// Every pointer in `block` that the kernel dereferences is valid on the queue's device until the
    /// returned ticket is complete.
    #[inline]
    pub(super) unsafe fn submit(
        &self,
        queue: &Queue,
        block: &[u8],
        shape: &LaunchShape,
    ) -> Result<Ticket, Box<RuntimeError>> {
        if block.len() != self.plan.block_size() {
            return Err(boxed(require::wrong_block(&self.record.kernel, self.plan.block_size(), block.len())));
        }
        if i64::from(shape.local_memory) > self.dynamic_limit {
            return Err(boxed(self.too_much_local_memory(shape, queue.device())));
        }
        let launch = |arguments: &[u8]| {
            // SAFETY: the plan was made from this kernel's entry; the pointers are the caller's promise.
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
        require::too_much_local_memory(&self.record.kernel, self.kernel.entry().local_memory, shape, device)
    }
}

#[cold]
fn boxed(error: impl Into<RuntimeError>) -> Box<RuntimeError> {
    Box::new(error.into())
}
