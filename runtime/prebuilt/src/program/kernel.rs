//! Launches kernels with typed arguments.
//!
//! *Invariant:* number, size and kind of the arguments match the kernel's parameter records, or
//! nothing is submitted.
#![expect(unsafe_code, reason = "reads descriptors and launches kernels")]

use super::{
    argument::{Argument, shown},
    buffer::{Element, bytes_of},
    event::Event,
    module::{Handle, terminated},
};
use crate::{
    error::{RuntimeError, check},
    ffi::{self, Parameter, RawKernel},
    queue::Queue,
};
use std::{ffi::CString, ptr::NonNull, slice, sync::Arc};

/// Bits of `sinter_parameter.kind` that hold the kind; the others are flags.
const KIND: u32 = 0xff;

/// Global size, work-group size and local memory of a launch. x, the fastest dimension, comes
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchSize {
    dimensions: u32,
    global: [u64; 3],
    group: [u32; 3],
    local_memory: u32,
}

/// Fills the sizes of a launch with `D` dimensions up to three.
fn filled<T: Copy, const D: usize>(sizes: [T; D], one: T) -> [T; 3] {
    const { assert!(D >= 1 && D <= 3, "a launch has 1 to 3 dimensions") };
    std::array::from_fn(|d| if d < D { sizes[d] } else { one })
}

impl LaunchSize {
    /// A range of work-items. The runtime chooses the work-group size.
    pub fn range<const D: usize>(global: [u64; D]) -> Self {
        LaunchSize { dimensions: D as u32, global: filled(global, 1), group: [0; 3], local_memory: 0 }
    }

    /// The same range in work-groups of this size, which must divide it.
    #[must_use]
    pub fn with_groups<const D: usize>(self, group: [u32; D]) -> Self {
        LaunchSize { group: filled(group, 1), ..self }
    }

    /// The same launch with this many bytes of local memory per work-group, besides what the kernel
    /// declares.
    #[must_use]
    pub fn with_local_memory(self, bytes: u32) -> Self {
        LaunchSize { local_memory: bytes, ..self }
    }
}

/// A kernel of a module, and the values of its constants. Cloning it is cheap.
#[derive(Clone)]
pub struct Kernel {
    _module: Arc<Handle>,
    raw: NonNull<RawKernel>,
    name: String,
    constants: Vec<(String, Vec<u8>)>,
}

// SAFETY: the descriptor belongs to the module and is only read.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// `raw` is a kernel of `module`.
    pub(super) fn new(module: Arc<Handle>, raw: NonNull<RawKernel>, name: &str) -> Self {
        Kernel { _module: module, raw, name: name.to_owned(), constants: Vec::new() }
    }

    /// The symbol of its entry function.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn descriptor(&self) -> &RawKernel {
        // SAFETY: the module that the value holds keeps the descriptor.
        unsafe { self.raw.as_ref() }
    }

    fn parameters(&self) -> &[Parameter] {
        let RawKernel { parameter_count, parameters, .. } = self.descriptor();
        if *parameter_count == 0 {
            return &[];
        }
        // SAFETY: the descriptor says how many there are; the module keeps them.
        unsafe { slice::from_raw_parts(*parameters, *parameter_count as usize) }
    }

    /// The same kernel with a value for the IR constant or specialization constant `name`, a
    /// mangled name. The kernel is compiled once for each value. Constants without a value here
    /// keep their initial values.
    #[must_use]
    pub fn with_constant(mut self, name: &str, value: impl Element) -> Self {
        self.constants.retain(|(known, _)| known != name);
        self.constants.push((name.to_owned(), bytes_of(&[value]).to_vec()));
        self
    }

    /// Submits the kernel. The command waits for those of other queues that use the same buffers.
    ///
    /// # Safety
    /// The caller must ensure what the compiler cannot check: the kernel stays inside the buffers,
    /// writes only those passed as `&mut`, and every other pointer that it follows is valid on the
    /// device until the event is complete. If the kernel was linked into a library, that library
    /// stays loaded.
    pub unsafe fn launch(
        &self,
        queue: &Queue,
        size: &LaunchSize,
        arguments: &[Argument<'_>],
    ) -> Result<Event, RuntimeError> {
        let block = self.block(arguments)?;
        for (memory, access) in arguments.iter().filter_map(|argument| argument.memory) {
            memory.check_queue(queue)?;
            memory.uses.order(queue, access)?;
        }
        // SAFETY: passed on to the caller; the block is made from checked arguments.
        let event = unsafe { self.submit(queue, &block, size) }?;
        arguments.iter().filter_map(|a| a.memory).for_each(|(memory, access)| memory.uses.add(event.clone(), access));
        Ok(event)
    }

    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn submit(&self, queue: &Queue, block: &[u8], size: &LaunchSize) -> Result<Event, RuntimeError> {
        let names = self.constants.iter().map(|(name, _)| terminated(name)).collect::<Result<Vec<_>, _>>()?;
        let raw = |(name, (_, value)): (&CString, &(String, Vec<u8>))| {
            let (name, size) = (name.as_ptr(), value.len() as u64);
            ffi::Constant { name, value: value.as_ptr().cast(), size }
        };
        let constants: Vec<_> = names.iter().zip(&self.constants).map(raw).collect();
        let launch = ffi::Launch {
            struct_size: size_of::<ffi::Launch>() as u32,
            dimensions: size.dimensions,
            global_size: size.global,
            group_size: size.group,
            local_memory: size.local_memory,
            constant_count: constants.len() as u32,
            reserved: 0,
            constants: constants.as_ptr(),
        };
        let (kernel, data, mut ticket) = (self.raw.as_ptr().cast_const(), block.as_ptr().cast(), 0);
        // SAFETY: a queue, a descriptor, and structs that outlive the call; the rest is the caller's promise.
        check(unsafe { ffi::sinter_queue_launch(queue.raw(), kernel, data, block.len(), &launch, &mut ticket) })?;
        Ok(Event::new(queue, ticket))
    }

    /// The argument block, or an error that names the argument that does not match its parameter.
    fn block(&self, arguments: &[Argument<'_>]) -> Result<Vec<u8>, RuntimeError> {
        let (name, parameters) = (&self.name, self.parameters());
        if parameters.len() != arguments.len() {
            let (expected, given) = (parameters.len(), arguments.len());
            return Err(RuntimeError::invalid(format!("kernel `{name}` takes {expected} arguments, not {given}")));
        }
        let mut block = vec![0; self.descriptor().block_size as usize];
        for (index, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let (bytes, start) = (argument.as_bytes(), parameter.byte_offset as usize);
            let (kind, size) = (parameter.kind & KIND, parameter.byte_size as usize);
            if (kind, size) != (argument.kind, bytes.len()) {
                let (expected, given) = (shown(kind, size), shown(argument.kind, bytes.len()));
                return Err(RuntimeError::invalid(format!(
                    "argument {index} of kernel `{name}` is a {given}, but the kernel takes a {expected}"
                )));
            }
            block[start..start + size].copy_from_slice(bytes);
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_that_a_launch_lacks_are_one() {
        let size = LaunchSize::range([1920, 1080]).with_groups([16, 8]);
        assert_eq!((size.dimensions, size.global, size.group), (2, [1920, 1080, 1], [16, 8, 1]));
    }
}
