//! Kernels, launched with typed arguments.
//!
//! *Invariant:* nothing is submitted unless number, size and kind of the arguments match the
//! parameter records of the kernel.
#![expect(unsafe_code, reason = "reads descriptors and launches kernels")]

use crate::{
    error::{RuntimeError, check},
    ffi::{self, Parameter, RawKernel},
    handle::{Handle, terminated},
    queue::Queue,
};
use sinter_program::{ArgumentType, Constants, LaunchSize, Layout, ArgumentMismatch, ParameterKind, Place};
use std::{ffi::CString, ptr::NonNull, slice, sync::Arc};

/// Bits of `sinter_parameter.kind` with the kind; the others are flags.
const KIND: u32 = 0xff;

/// A kernel of a module, with the values of the constants for its launches. Cheap to clone.
#[derive(Clone)]
pub struct Kernel {
    _module: Arc<Handle>,
    raw: NonNull<RawKernel>,
    name: String,
    places: Arc<[Place]>,
    constants: Constants,
}

// SAFETY: the descriptor belongs to the module and is only read.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

/// Parameter records of a kernel.
///
/// # Safety
/// The descriptor points to as many records as it states.
unsafe fn parameters(kernel: &RawKernel) -> &[Parameter] {
    if kernel.parameter_count == 0 {
        return &[];
    }
    // SAFETY: the same contract, upheld by the caller.
    unsafe { slice::from_raw_parts(kernel.parameters, kernel.parameter_count as usize) }
}

/// Place of a parameter in the block; `None` for a kind of a later version.
fn place(parameter: &Parameter) -> Option<Place> {
    let kind = ParameterKind::from_number(parameter.kind & KIND)?;
    Some(Place { offset: parameter.byte_offset, ty: ArgumentType { kind, size: parameter.byte_size } })
}

sinter_program::kernel_methods!(Kernel, Queue, RuntimeError);

impl Kernel {
    /// `raw` must be a kernel of `module`.
    pub(crate) fn new(module: Arc<Handle>, raw: NonNull<RawKernel>, name: &str) -> Result<Self, RuntimeError> {
        // SAFETY: the module keeps the descriptor and everything that it points to alive.
        let parameters = unsafe { parameters(raw.as_ref()) };
        let later = || {
            let remedy = "take sinter-prebuilt of the version that is installed";
            RuntimeError::Kernel(format!("kernel `{name}` has a parameter of a kind of a later version: {remedy}"))
        };
        let places = parameters.iter().map(place).collect::<Option<_>>().ok_or_else(later)?;
        Ok(Kernel { _module: module, raw, name: name.to_owned(), places, constants: Constants::default() })
    }

    /// Symbol of the entry function.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn layout(&self) -> Layout<impl ExactSizeIterator<Item = Place> + Clone> {
        // SAFETY: this value holds the module, which keeps the descriptor alive.
        let size = unsafe { self.raw.as_ref() }.block_size as usize;
        Layout { places: self.places.iter().copied(), size }
    }

    fn refuse(&self, misfit: ArgumentMismatch) -> RuntimeError {
        RuntimeError::invalid(format!("kernel `{}` {misfit}", self.name))
    }

    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn submit(&self, queue: &Queue, block: &[u8], size: &LaunchSize) -> Result<u64, RuntimeError> {
        let names = self.constants.iter().map(|(name, _)| terminated(name)).collect::<Result<Vec<_>, _>>()?;
        let raw = |(name, (_, value)): (&CString, (&str, &[u8]))| {
            let (name, size) = (name.as_ptr(), value.len() as u64);
            ffi::Constant { name, value: value.as_ptr().cast(), size }
        };
        let constants: Vec<_> = names.iter().zip(self.constants.iter()).map(raw).collect();
        let launch = ffi::Launch {
            struct_size: size_of::<ffi::Launch>() as u32,
            dimensions: size.dimensions.into(),
            global_size: size.global,
            group_size: size.group.unwrap_or_default(),
            local_memory: size.local_memory,
            constant_count: constants.len() as u32,
            reserved: 0,
            constants: constants.as_ptr(),
        };
        let (kernel, data, mut ticket) = (self.raw.as_ptr().cast_const(), block.as_ptr().cast(), 0);
        // SAFETY: a queue, a descriptor, and structs that outlive the call; the rest is the
        // caller's promise.
        check(unsafe { ffi::sinter_queue_launch(queue.raw(), kernel, data, block.len(), &launch, &mut ticket) })?;
        Ok(ticket)
    }
}
