//! A launch while it searches for its kernel.
//!
//! In: the arguments of a launch. Out: the key of its entry in the table, which becomes more
//! specific with each question that an entry asks. *Invariant:* a kernel asks at most once for a
//! work-group size, for the values of specialised arguments, and for the allocations of pointers.
#![expect(unsafe_code, reason = "reads descriptors of stage 1")]

use super::{
    allocations::{Pattern, Pointers},
    require,
    shape::{self, LaunchSize, Resolved},
    table::{HotKey, Question},
    values::{self, Constant, Digest, Leaves},
};
use crate::{
    abi,
    code::variant::ShapeClass,
    error::RuntimeError,
    queue::Queue,
    registry::descriptor::{self, Descriptor},
};
use sinter_core::{LaunchShape, Specialization};
use std::sync::Arc;

/// The arguments of a launch except its size.
#[derive(Clone, Copy)]
pub(super) struct Launch<'a> {
    pub(super) queue: &'a Queue,
    /// A descriptor, valid for the duration of the launch.
    pub(super) kernel: *const abi::Kernel,
    pub(super) block: &'a [u8],
    pub(super) constants: &'a [Constant<'a>],
    /// True if the kernel may be compiled for the allocations that its pointers point to.
    pub(super) separates: bool,
}

/// Values that the key depends on so far.
struct Known {
    leaves: Arc<Leaves>,
    pattern: Pattern,
}

/// A launch with a resolved shape.
pub(super) struct Search<'a> {
    pub(super) launch: Launch<'a>,
    pub(super) shape: LaunchShape,
    pub(super) key: HotKey,
    size: LaunchSize,
    known: Option<Known>,
}

impl<'a> Search<'a> {
    /// Starts the search of a launch; `None` if it has no work-items.
    ///
    /// # Safety
    /// As for [`super::Launcher::launch`].
    #[inline]
    pub(super) unsafe fn begin(launch: Launch<'a>, size: &LaunchSize) -> Result<Option<Self>, RuntimeError> {
        let shape = match shape::resolve(size, launch.queue.device()) {
            Ok(Resolved::Nothing) => return Ok(None),
            Ok(Resolved::Shape(shape)) => shape,
            Err(problem) => {
                // SAFETY: the same contract, upheld by the caller.
                let kernel = unsafe { launch.descriptor() }?;
                return Err(require::bad_shape(&kernel, launch.queue.device(), problem));
            }
        };
        Ok(Some(Search { launch, shape, key: launch.key(size, &shape), size: *size, known: None }))
    }

    /// True if only size, kernel and device determine the kernel.
    pub(super) fn is_of_size_alone(&self) -> bool {
        self.known.is_none() && self.launch.constants.is_empty()
    }

    /// Answers the question of an entry, which makes the key more specific.
    ///
    /// # Safety
    /// As for [`super::Launcher::launch`].
    pub(super) unsafe fn answer(&mut self, question: Question) -> Result<(), RuntimeError> {
        match question {
            // SAFETY: the same contract, upheld by the caller.
            Question::GroupSize(group) => unsafe { self.take_group_size(group) },
            // SAFETY: the same contract, upheld by the caller.
            Question::Values(leaves) => unsafe { self.read_values(leaves) },
        }
    }

    #[cold]
    unsafe fn take_group_size(&mut self, group: [u32; 3]) -> Result<(), RuntimeError> {
        let (size, device) = (LaunchSize { group: Some(group), ..self.size }, self.launch.queue.device());
        match shape::resolve(&size, device) {
            Ok(Resolved::Shape(shape)) => {
                (self.size, self.shape, self.key) = (size, shape, self.launch.key(&size, &shape));
                Ok(())
            }
            Ok(Resolved::Nothing) => Err(asks_again()),
            Err(problem) => {
                // SAFETY: the same contract, upheld by the caller.
                let kernel = unsafe { self.launch.descriptor() }?;
                Err(require::unsuitable(&kernel, group, device, &problem))
            }
        }
    }

    unsafe fn read_values(&mut self, leaves: Arc<Leaves>) -> Result<(), RuntimeError> {
        let Launch { block, constants, queue, separates, .. } = self.launch;
        if block.len() != leaves.block_size {
            // SAFETY: the same contract, upheld by the caller.
            let kernel = unsafe { self.launch.descriptor() }?.symbol;
            return Err(require::wrong_block(kernel, leaves.block_size, block.len()));
        }
        let memory = queue.device().device.memory();
        let pattern = if separates { leaves.pattern(block, memory) } else { Pattern::default() };
        self.key = self.key.with_values(leaves.digest(constants, block, pattern));
        self.known = Some(Known { leaves, pattern });
        Ok(())
    }

    /// True if the values of specialised arguments are still unknown.
    pub(super) fn lacks_values(&self) -> bool {
        self.known.is_none()
    }

    /// True if the key contains the pattern of allocations.
    pub(super) fn has_pattern(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.leaves.has_pointers())
    }

    /// Pattern to compile for. The first translation of a kernel uses the pattern of its launch,
    /// and shows if the code depends on it.
    pub(super) fn pattern(&self, kernel: &Descriptor<'_>) -> Pattern {
        match &self.known {
            Some(known) if known.leaves.has_pointers() => known.pattern,
            _ if self.launch.separates => {
                Pointers::of(kernel).pattern(self.launch.block, self.launch.queue.device().device.memory())
            }
            _ => Pattern::default(),
        }
    }

    /// Values and allocations to compile for.
    pub(super) fn specialization(
        &self,
        kernel: &Descriptor<'_>,
        pattern: Pattern,
    ) -> Result<Specialization, RuntimeError> {
        let leaves = self.known.as_ref().map(|known| (&*known.leaves, self.launch.block));
        values::specialization(self.launch.constants, leaves, Pointers::of(kernel).allocations(pattern))
    }
}

impl<'a> Launch<'a> {
    fn key(&self, size: &LaunchSize, shape: &LaunchShape) -> HotKey {
        HotKey::new(self.kernel, self.queue.place(), ShapeClass::of(size, shape), Digest::of(self.constants))
    }

    /// # Safety
    /// As for [`super::Launcher::launch`].
    pub(super) unsafe fn descriptor(&self) -> Result<Descriptor<'a>, RuntimeError> {
        // SAFETY: the caller promises a valid descriptor.
        unsafe { descriptor::read(self.kernel) }
    }
}

#[cold]
pub(super) fn asks_again() -> RuntimeError {
    RuntimeError::Internal { message: "a kernel asked the same question twice".to_owned() }
}
