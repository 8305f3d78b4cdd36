//! Kernels by name, launched with typed arguments.
//!
//! In: arguments. Out: an argument block, and a launch. *Invariant:* number, size and kind of the arguments are those of the
//! kernel's parameter records, or nothing is submitted.
#![expect(unsafe_code, reason = "launches kernels, which may do anything with their pointers")]

use super::{
    argument::Argument,
    buffer::{Element, bytes_of},
    event::Event,
    module::{Entry, Inner, Module},
};
use crate::{
    abi,
    error::{ArgumentType, RuntimeError},
    launch::{shape::LaunchSize, values::Constant},
    queue::Queue,
};
use sinter_core::Parameter;
use std::sync::Arc;

/// Argument blocks up to this size are made on the stack.
const INLINE_BLOCK: usize = 256;

/// A kernel of a module, and the values of constants that it is launched with. Cloning it is cheap.
#[derive(Clone)]
pub struct Kernel {
    module: Arc<Inner>,
    index: usize,
    constants: Vec<(String, Vec<u8>)>,
}

/// What a parameter takes.
fn type_of(parameter: &Parameter) -> ArgumentType {
    ArgumentType { kind: parameter.kind, size: parameter.byte_size }
}

impl Kernel {
    pub(super) fn new(module: &Arc<Inner>, index: usize) -> Self {
        Kernel { module: Arc::clone(module), index, constants: Vec::new() }
    }

    fn entry(&self) -> &Entry {
        &self.module.entries[self.index]
    }

    /// The module of the kernel.
    pub fn module(&self) -> Module {
        Module(Arc::clone(&self.module))
    }

    /// The descriptor that stage 1 would have emitted for the kernel. Valid for as long as the
    /// module lives.
    pub(crate) fn descriptor(&self) -> *const abi::Kernel {
        // Points to the whole descriptor, because the runtime reads its end as well.
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
        self.constants.retain(|(known, _)| known != name);
        self.constants.push((name.to_owned(), bytes_of(&[value]).to_vec()));
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
        self.check(queue, arguments)?;
        for (memory, access) in arguments.iter().filter_map(|argument| argument.memory) {
            memory.uses.order(queue, access)?;
        }
        // SAFETY: passed on to the caller; the block is made from checked arguments.
        let ticket = self.with_block(arguments, |block| unsafe { self.submit(queue, block, size) })?;
        let event = Event::new(queue, ticket);
        arguments.iter().filter_map(|a| a.memory).for_each(|(memory, access)| memory.uses.add(event.clone(), access));
        Ok(event)
    }

    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn submit(
        &self,
        queue: &Queue,
        block: &[u8],
        size: &LaunchSize,
    ) -> Result<sinter_driver::Ticket, RuntimeError> {
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

    /// Checks everything about the arguments that the parameter records say.
    fn check(&self, queue: &Queue, arguments: &[Argument<'_>]) -> Result<(), RuntimeError> {
        let parameters = self.parameters();
        if parameters.len() != arguments.len() {
            let signature = parameters.iter().map(|p| type_of(p).to_string()).collect::<Vec<_>>().join(", ");
            let (expected, given) = (parameters.len(), arguments.len());
            return Err(RuntimeError::ArgumentCount { kernel: self.name().to_owned(), expected, given, signature });
        }
        for (index, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            self.check_type(index, parameter, argument)?;
            argument.memory.map_or(Ok(()), |(memory, _)| memory.check_queue(queue))?;
        }
        Ok(())
    }

    fn check_type(&self, index: usize, parameter: &Parameter, argument: &Argument<'_>) -> Result<(), RuntimeError> {
        let (expected, given) = (type_of(parameter), argument.ty());
        if expected == given {
            return Ok(());
        }
        Err(RuntimeError::ArgumentType { kernel: self.name().to_owned(), index, expected, given })
    }

    /// Calls `submit` with the block that holds the arguments, which were checked.
    fn with_block<R>(&self, arguments: &[Argument<'_>], submit: impl FnOnce(&[u8]) -> R) -> R {
        let size = self.entry().descriptor.kernel.block_size as usize;
        if size > INLINE_BLOCK {
            return self.fill_block(&mut vec![0; size], arguments, submit);
        }
        self.fill_block(&mut [0; INLINE_BLOCK][..size], arguments, submit)
    }

    fn fill_block<R>(&self, block: &mut [u8], arguments: &[Argument<'_>], submit: impl FnOnce(&[u8]) -> R) -> R {
        for (parameter, argument) in self.parameters().iter().zip(arguments) {
            let (start, bytes) = (parameter.byte_offset as usize, argument.as_bytes());
            block[start..start + bytes.len()].copy_from_slice(bytes);
        }
        submit(block)
    }
}
