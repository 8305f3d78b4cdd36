//! Kernels by name, launched with typed arguments.
//!
//! In: arguments. Out: an argument block, and a launch. *Invariant:* nothing is submitted unless
//! number, size and kind of the arguments match the parameter records of the kernel.
#![expect(unsafe_code, reason = "launches kernels, which may do anything with their pointers")]

use super::loaded_module::{Entry, Inner, Module};
use crate::{abi, error::RuntimeError, launch::values::Constant, queue::Queue};
use sinter_core::Parameter;
use sinter_driver::Ticket;
use sinter_program::{ArgumentMismatch, Constants, LaunchSize, Layout, Place};
use std::sync::Arc;

/// A kernel of a module, with the values of the constants for its launches. Cheap to
/// clone.
#[derive(Clone)]
pub struct Kernel {
    module: Arc<Inner>,
    index: usize,
    constants: Constants,
}

sinter_program::kernel_methods!(Kernel, Queue, RuntimeError);

impl Kernel {
    pub(super) fn new(module: &Arc<Inner>, index: usize) -> Self {
        Kernel { module: Arc::clone(module), index, constants: Constants::default() }
    }

    fn entry(&self) -> &Entry {
        &self.module.entries[self.index]
    }

    /// Module that defines the kernel. Cheap: it shares the container.
    pub fn module(&self) -> Module {
        Module(Arc::clone(&self.module))
    }

    /// Descriptor of the kernel, laid out as stage 1 emits it. Valid for as long as the module
    /// lives.
    pub(crate) fn descriptor(&self) -> *const abi::Kernel {
        // The pointer covers the whole descriptor, because the runtime reads the parts after the
        // first.
        (&raw const *self.entry().descriptor).cast()
    }

    /// Symbol of the entry function, as the container records it.
    pub fn name(&self) -> &str {
        &self.entry().name
    }

    /// Parameters, in the order of the arguments.
    pub fn parameters(&self) -> &[Parameter] {
        &self.entry().parameters
    }

    fn layout(&self) -> Layout<impl ExactSizeIterator<Item = Place> + Clone> {
        let size = self.entry().descriptor.whole.kernel.block_size as usize;
        Layout { places: self.parameters().iter().map(Place::from), size }
    }

    fn refuse(&self, misfit: ArgumentMismatch) -> RuntimeError {
        RuntimeError::misfit(self.name(), misfit)
    }

    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn submit(&self, queue: &Queue, block: &[u8], size: &LaunchSize) -> Result<Ticket, RuntimeError> {
        let (runtime, kernel) = (&self.module.runtime, self.descriptor());
        if self.constants.is_empty() {
            // SAFETY: the module owns the descriptor and everything that it points to, and outlives
            // this call. The rest is the caller's promise.
            return unsafe { runtime.launch(queue, kernel, block, size) };
        }
        let constants: Vec<_> = self.constants.iter().map(|(name, value)| Constant { name, value }).collect();
        // SAFETY: as above.
        unsafe { runtime.launch_with(queue, kernel, block, size, &constants) }
    }
}
