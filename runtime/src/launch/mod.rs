//! Takes a launch from the program to the driver's queue.
//!
//! A hit costs: check the shape, find the kernel among this thread's recent ones, copy the live arguments, submit. A miss
//! goes `plan` -> `obtain` -> `load`. *Invariant:* up to the driver's queue, which may lock to order its commands, a launch of one
//! of the thread's recent kernels takes no lock, allocates nothing for up to 512 bytes of arguments and touches one counter.
//! A kernel that other threads used is found under the read lock of one shard of the shared table.
#![expect(unsafe_code, reason = "hands argument buffers with device pointers to drivers")]

pub mod descriptor;
mod hot;
mod load;
mod obtain;
mod pack;
mod plan;
pub mod shape;

pub(crate) use hot::HotTable;
pub(crate) use obtain::CodeStore;

use crate::{
    abi, adapt::ShapeClass, devices::DeviceEntry, error::RuntimeError, queue::Queue, runtime::Runtime,
    single_flight::SingleFlight, statistics::count,
};
use hot::{Bound, HotKey};
use shape::{LaunchSize, Resolved};
use sinter_core::LaunchShape;
use sinter_driver::Ticket;
use std::sync::Arc;

/// Launches that are looking for their kernel.
pub(crate) type Preparing = SingleFlight<HotKey, Result<Arc<Bound>, RuntimeError>>;

impl Runtime {
    /// Submits a kernel with its argument block.
    ///
    /// # Safety
    /// `kernel` and everything it points to is a descriptor that stage 1 made, valid and unchanged until its container is
    /// unregistered. Every pointer in `block` that the kernel dereferences is valid on the queue's device until the
    /// returned ticket is complete.
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        kernel: &abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<Ticket, RuntimeError> {
        let resolved = match shape::resolve(size, queue.device())? {
            Resolved::Nothing => return Ok(queue.driver_queue().last()),
            Resolved::Shape(shape) => shape,
        };
        let class = ShapeClass::of(size, &resolved);
        let key = HotKey::new(kernel, queue.device().index, class);
        // SAFETY: the caller promises a valid descriptor.
        let find = || unsafe { self.find(queue.device(), kernel, key) };
        // SAFETY: the caller promises valid pointers; the arguments are packed as the kernel's own entry says.
        self.hot.with(key, find, |bound| unsafe { submit(bound, queue, &resolved, block) })?
    }

    /// The kernel of `key`, prepared once however many threads ask for it.
    ///
    /// # Safety
    /// As for [`Runtime::launch`].
    unsafe fn find(&self, device: &DeviceEntry, kernel: &abi::Kernel, key: HotKey) -> Result<Arc<Bound>, RuntimeError> {
        if let Some(bound) = self.hot.get(&key) {
            return Ok(bound);
        }
        self.preparing.run(&key, || {
            if let Some(bound) = self.hot.get(&key) {
                return Ok(bound);
            }
            // SAFETY: passed on to the caller.
            let descriptor = unsafe { descriptor::read(kernel) }?;
            let bound = self.prepare(device, &descriptor, &key.class)?;
            count(&self.statistics.misses);
            self.hot.insert(key, kernel.container, Arc::clone(&bound));
            Ok(bound)
        })
    }
}

/// # Safety
/// As for [`Runtime::launch`].
unsafe fn submit(bound: &Bound, queue: &Queue, shape: &LaunchShape, block: &[u8]) -> Result<Ticket, RuntimeError> {
    if block.len() != bound.plan.block_size() {
        let (kernel, expected) = (bound.record.kernel.clone(), bound.plan.block_size() as u64);
        return Err(RuntimeError::BlockSize { kernel, expected, given: block.len() });
    }
    let ticket = bound.plan.with_arguments(block, |arguments| {
        // SAFETY: the plan was made from this kernel's entry; the pointers are the caller's promise.
        unsafe { queue.driver_queue().launch(&bound.kernel, shape, arguments) }
    })?;
    count(&bound.record.launches);
    Ok(ticket)
}
