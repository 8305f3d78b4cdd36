//! Facts that stage 1 and the runtime share about programs in HIP and CUDA.
//!
//! In: what stage 1 writes in place of clang's handle of a kernel, which only has the stub, and for
//! managed variables. Out: the runtime's view of it. *Invariant:* the layout is that of
//! `sinter/hip.h`.

use crate::records::{self, DeviceGlobalLayout};
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

/// `dim3`: the size of a grid or a block.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// The fastest dimension.
    pub x: u32,
    /// The second one.
    pub y: u32,
    /// The slowest dimension.
    pub z: u32,
}

impl Dimensions {
    /// The sizes, fastest dimension first.
    pub fn numbers(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }

    /// The dimensions with these sizes.
    pub fn of([x, y, z]: [u32; 3]) -> Self {
        Dimensions { x, y, z }
    }
}

/// Flag in [`DeviceGlobalLayout::alignment`] of a `__managed__` variable: its value is at the
/// alignment's offset, and behind the address of the layout its object has the address of the
/// variable through which all host code finds the value.
pub const MANAGED: u64 = 1 << 63;

/// Flag there of a `__constant__` variable: device code only reads it.
pub const CONSTANT: u64 = 1 << 62;

/// The alignment of a variable in bytes, without flags.
pub fn alignment_of(layout: DeviceGlobalLayout) -> u64 {
    layout.alignment & !(MANAGED | CONSTANT)
}

/// True for a `__constant__` variable.
pub fn is_constant(layout: DeviceGlobalLayout) -> bool {
    layout.alignment & CONSTANT != 0
}

/// A `__managed__` variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Managed {
    /// Size of its object in bytes.
    pub size: usize,
    /// Offset of the value in the object, which is the alignment of both.
    pub offset: usize,
}

impl Managed {
    /// The variable with this layout, if it is a managed one.
    pub fn of(layout: DeviceGlobalLayout) -> Option<Self> {
        let offset = alignment_of(layout) as usize;
        (layout.alignment & MANAGED != 0).then_some(Managed { size: layout.size as usize, offset })
    }
}
