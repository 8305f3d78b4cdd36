//! The handle by which programs in HIP and CUDA launch a kernel.
//!
//! In: what stage 1 writes in place of clang's handle, which only has the stub. Out: the runtime's
//! view of it. *Invariant:* the layout is that of `sinter/hip.h`.

use crate::records;
use std::ffi::c_void;

/// Value of [`KernelHandle::mark`], by which a handle is told from other addresses.
pub const HANDLE_MARK: u64 = 0x5049_485f_5245_544e;

/// A parameter of a kernel.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelParameter {
    /// Offset in the argument block, in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// Variable of host code that the address of a kernel points to in host code.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct KernelHandle {
    /// Function of the host that launches the kernel.
    pub stub: *const c_void,
    /// [`HANDLE_MARK`].
    pub mark: u64,
    /// Descriptor of the kernel.
    pub kernel: *const records::Kernel,
    /// The parameters.
    pub parameters: *const KernelParameter,
    /// Number of parameters.
    pub parameter_count: u32,
    /// Largest number of work-items in a block (`__launch_bounds__`); 0 if the source does not say.
    pub largest_block: u32,
}
