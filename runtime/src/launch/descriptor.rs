//! Reads a kernel descriptor.
//!
//! In: the `sinter_kernel` that host code passes. Out: a checked, borrowed view. *Invariant:* every parameter record lies
//! inside the argument block, so that packing needs no further check than the size of the block.
#![expect(unsafe_code, reason = "reads descriptors in the program's memory")]

use crate::{abi, error::RuntimeError, registry::Registered};
use sinter_core::{IrHash, ParameterKind};
use std::ffi::CStr;

/// More parameters than any closure has; a larger number is garbage.
const MAX_PARAMETERS: u32 = 1 << 16;
/// Larger than any closure; a larger number is garbage.
const MAX_BLOCK: u64 = 1 << 24;

/// A checked kernel descriptor.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor<'a> {
    /// Symbol of the kernel in its container.
    pub symbol: &'a str,
    /// Its parameter records.
    pub parameters: &'a [abi::Parameter],
    /// The container that holds it.
    pub container: *const abi::Container,
    /// Size of its argument block in bytes.
    pub block_size: usize,
    /// Digest of its own closure, where stage 1 recorded one.
    pub ir_hash: Option<IrHash>,
    /// The launches it may be used in.
    pub requirements: abi::KernelRequirements,
}

impl Descriptor<'_> {
    /// The container of a kernel that is launched before its constructor, or after its destructor, ran. It is not
    /// remembered, because nothing would announce its end.
    pub(super) fn unannounced(&self) -> Registered {
        // SAFETY: whoever made this view promised that everything the descriptor points to is valid while it is used.
        unsafe { Registered::new(self.container) }
    }
}

fn bad(reason: impl Into<String>) -> RuntimeError {
    RuntimeError::invalid("kernel descriptor", reason)
}

/// The symbol, for messages and lookups.
///
/// # Safety
/// As for [`read`].
unsafe fn symbol(kernel: &abi::Kernel) -> Result<&str, RuntimeError> {
    if (kernel.struct_size as usize) < size_of::<abi::Kernel>() {
        let (found, ours) = (kernel.struct_size, size_of::<abi::Kernel>());
        return Err(bad(format!("its struct_size is {found}, this runtime needs {ours}")));
    }
    if kernel.symbol.is_null() || kernel.container.is_null() {
        return Err(bad("its symbol or container is null"));
    }
    // SAFETY: the caller promises a NUL-terminated string that lives as long as the descriptor.
    let symbol = unsafe { CStr::from_ptr(kernel.symbol) };
    symbol.to_str().map_err(|_| bad("its symbol is not UTF-8"))
}

/// What a record describes.
pub(super) fn kind(record: &abi::Parameter) -> Option<ParameterKind> {
    ParameterKind::from_number(record.kind & !abi::PARAMETER_SPECIALIZED)
}

/// What the kernel requires of its launches: nothing, if it was compiled before descriptors said so.
///
/// # Safety
/// `kernel` points to as many bytes as its `struct_size` says.
unsafe fn requirements(kernel: *const abi::Kernel) -> abi::KernelRequirements {
    // SAFETY: passed on to the caller.
    if (unsafe { (*kernel).struct_size } as usize) < size_of::<abi::WholeKernel>() {
        return abi::KernelRequirements::default();
    }
    // SAFETY: the size says that the second part is there.
    unsafe { (*kernel.cast::<abi::WholeKernel>()).requirements }
}

/// Checks one record.
fn check(symbol: &str, index: usize, record: &abi::Parameter, block_size: u64) -> Result<(), RuntimeError> {
    let end = u64::from(record.byte_offset) + u64::from(record.byte_size);
    let reason = if end > block_size {
        format!("parameter {index} ends at byte {end} of a block of {block_size} bytes")
    } else if kind(record).is_none() {
        format!("parameter {index} has the unknown kind {}", record.kind)
    } else {
        return Ok(());
    };
    Err(RuntimeError::Kernel { kernel: symbol.to_owned(), reason })
}

/// The view of a descriptor.
///
/// # Safety
/// `kernel` and everything it points to is valid and unchanged while the view is used.
pub unsafe fn read<'a>(address: *const abi::Kernel) -> Result<Descriptor<'a>, RuntimeError> {
    // SAFETY: passed on to the caller.
    let kernel = unsafe { &*address };
    // SAFETY: passed on to the caller.
    let symbol = unsafe { symbol(kernel) }?;
    // SAFETY: passed on to the caller.
    let requirements = unsafe { requirements(address) };
    let group = requirements.required_group_size;
    if group != [0; 3] && group.contains(&0) {
        return Err(bad(format!("that of `{symbol}` requires work-groups of {group:?} items, where only some are 0")));
    }
    let count = kernel.parameter_count;
    if count > MAX_PARAMETERS || kernel.block_size > MAX_BLOCK || (count > 0 && kernel.parameters.is_null()) {
        return Err(bad(format!("that of `{symbol}` has impossible sizes or no parameter records")));
    }
    let parameters: &[abi::Parameter] = match count {
        0 => &[],
        // SAFETY: not null, and the caller promises `count` records that live as long as the descriptor.
        count => unsafe { std::slice::from_raw_parts(kernel.parameters, count as usize) },
    };
    let mut records = parameters.iter().enumerate();
    records.try_for_each(|(index, record)| check(symbol, index, record, kernel.block_size))?;
    let (container, block_size) = (kernel.container, kernel.block_size as usize);
    let ir_hash = (kernel.ir_hash != [0; 32]).then_some(kernel.ir_hash);
    Ok(Descriptor { symbol, parameters, container, block_size, ir_hash, requirements })
}
