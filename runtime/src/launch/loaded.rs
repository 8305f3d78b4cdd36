//! Finds the kernel that a launch would run, and launches nothing.
//!
//! In: the arguments of a launch. Out: the loaded kernel, which is right for all pointers, because the
//! caller may pass others to it. *Invariant:* it is the one that [`Runtime::launch_with`] submits for the
//! same arguments, translated and loaded at most once between the two, unless the code depends on the
//! allocations that pointers lead to.
#![expect(unsafe_code, reason = "reads descriptors of stage 1")]

use super::{
    Call, Known,
    allocations::Pattern,
    misshapen,
    shape::{self, LaunchSize, Resolved},
    table::{Entry, HotKey},
    values::{Constant, Digest},
    wrong_block,
};
use crate::{
    abi, code::variant::ShapeClass, error::RuntimeError, queue::Queue, registry::descriptor, runtime::Runtime,
};
use sinter_driver::Kernel;
use std::sync::Arc;

impl Runtime {
    /// The kernel of a launch, loaded on the queue's device.
    ///
    /// # Safety
    /// `kernel` is a descriptor as for [`Runtime::launch`].
    pub unsafe fn loaded_kernel(
        &self,
        queue: &Queue,
        kernel: *const abi::Kernel,
        block: &[u8],
        size: &LaunchSize,
        constants: &[Constant<'_>],
    ) -> Result<Arc<dyn Kernel>, RuntimeError> {
        let shape = match shape::resolve(size, queue.device()) {
            Ok(Resolved::Shape(shape)) => shape,
            Ok(Resolved::Nothing) => {
                return Err(RuntimeError::invalid("launch", "has no work-items, so that no kernel is chosen for it"));
            }
            // SAFETY: passed on to the caller.
            Err(problem) => return Err(unsafe { misshapen(kernel, queue.device(), problem) }),
        };
        let key = HotKey::new(kernel, queue.device().index, ShapeClass::of(size, &shape), Digest::of(constants));
        let call = Call { queue, kernel, block, shape: &shape, constants, separates: false };
        // SAFETY: passed on to the caller.
        let mut entry = unsafe { self.find(&call, key, None) }?;
        // A kernel may depend on values, and then also on pointers.
        while let Entry::Leaves(leaves) = &*entry {
            if block.len() != leaves.block_size {
                // SAFETY: the caller promises a valid descriptor.
                let kernel = unsafe { descriptor::read(kernel) }?.symbol;
                return Err(wrong_block(kernel, leaves.block_size, block.len()));
            }
            let known = Known { leaves, pattern: Pattern::default() };
            let values = key.with_values(leaves.digest(constants, block, known.pattern));
            // SAFETY: passed on to the caller.
            entry = unsafe { self.find(&call, values, Some(known)) }?;
        }
        match &*entry {
            Entry::Kernel(bound) => Ok(Arc::clone(&bound.kernel)),
            Entry::Group(group) => {
                let size = LaunchSize { group: Some(*group), ..*size };
                // SAFETY: passed on to the caller.
                unsafe { self.loaded_kernel(queue, kernel, block, &size, constants) }
            }
            Entry::Leaves(_) => {
                Err(RuntimeError::Internal { message: "a kernel with values asked for more".to_owned() })
            }
        }
    }
}
