//! Kernels by name, launched with typed arguments.
//!
//! In: arguments. Out: an argument block, and a launch. *Invariant:* number, size and kind of the arguments are those of the
//! kernel's parameter records, or nothing is submitted.
#![expect(unsafe_code, reason = "launches kernels, which may do anything with their pointers")]

use super::{
    Argument, Element, Event,
    module::{Entry, Inner, Module},
};
use crate::{abi, error::RuntimeError, launch::values::Constant, queue::Queue};
use sinter_core::Parameter;
use sinter_driver::Ticket;
use sinter_program::{Constants, LaunchSize, Layout, Place};
use std::sync::Arc;

/// A kernel of a module, and the values of constants that it is launched with. Cloning it is cheap.
#[derive(Clone)]
pub struct Kernel {
    module: Arc<Inner>,
    index: usize,
    constants: Constants,
}

impl Kernel {
    pub(super) fn new(module: &Arc<Inner>, index: usize) -> Self {
        Kernel { module: Arc::clone(module), index, constants: Constants::default() }
    }

    fn entry(&self) -> &Entry {
        &self.module.entries[self.index]
    }

    /// The module that it belongs to.
    pub fn module(&self) -> Module {
        Module(Arc::clone(&self.module))
    }

    /// What stage 1 would have made for it, for as long as the module lives.
    pub(crate) fn descriptor(&self) -> *const abi::Kernel {
        // A pointer to the whole descriptor, whose end the runtime reads as well.
        (&raw const *self.entry().descriptor).cast()
    }

    /// The symbol of its entry function.
    pub fn name(&self) -> &str {
        &self.entry().name
    }

    /// Its parameters, in the order of the arguments.
    pub fn parameters(&self) -> &[Parameter] {
        &self.entry().parameters
    }

    /// The same kernel with a value for the IR constant or specialization constant `name`, a mangled name. The kernel is
    /// compiled once for each value. A constant without a value here has the one it is initialised with.
    #[must_use]
    pub fn with_constant(mut self, name: &str, value: impl Element) -> Self {
        self.constants.set(name, value);
        self
    }

    /// Submits the kernel. The command waits for those of other queues that use the same buffers.
    ///
    /// # Safety
    /// What the compiler cannot see is up to the caller: the kernel stays inside the buffers, writes only those that are
    /// passed as `&mut`, and every other pointer that it follows is valid on the device until the event is complete. The
    /// library that the kernel was linked into, if it was, stays loaded.
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        size: &LaunchSize,
        arguments: &[Argument<'_>],
    ) -> Result<Event, RuntimeError> {
        let refuse = |misfit| RuntimeError::misfit(self.name(), misfit);
        // SAFETY: passed on to the caller; the block is made from checked arguments.
        self.layout().launch(queue, arguments, refuse, |block| unsafe { self.submit(queue, block, size) })
    }

    fn layout(&self) -> Layout<impl ExactSizeIterator<Item = Place> + Clone> {
        let size = self.entry().descriptor.kernel.block_size as usize;
        Layout { places: self.parameters().iter().map(Place::from), size }
    }

    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn submit(&self, queue: &Queue, block: &[u8], size: &LaunchSize) -> Result<Ticket, RuntimeError> {
        let (runtime, kernel) = (&self.module.runtime, self.descriptor());
        if self.constants.is_empty() {
            // SAFETY: the module owns the descriptor, and all it points to, for longer than this call; the rest is the
            // caller's promise.
            return unsafe { runtime.launch(queue, kernel, block, size) };
        }
        let constants: Vec<_> = self.constants.iter().map(|(name, value)| Constant { name, value }).collect();
        // SAFETY: as above.
        unsafe { runtime.launch_with(queue, kernel, block, size, &constants) }
    }
}
